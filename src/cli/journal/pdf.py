"""A page on standard input as PDF/A-3 on standard output, by WeasyPrint. Nothing is fetched: the page holds all that it
shows. What the page offers for download goes into the PDF as attached files."""

import hashlib
import inspect
import logging
import sys
from base64 import b64decode

OLDEST = 57

try:
    import weasyprint
except Exception as why:  # also the libraries that it loads
    sys.exit(f"no WeasyPrint: {why}")
if int(weasyprint.__version__.split(".")[0]) < OLDEST:
    sys.exit(f"WeasyPrint {weasyprint.__version__} is too old: {OLDEST} is the oldest that will do")


def nothing_else(url, *_, **__):
    """Gives what stands in the page itself."""
    kind, comma, data = url.partition(";base64,")
    if not comma or kind != "data:image/jpeg":
        raise ValueError("nothing is fetched")
    return {"string": b64decode(data), "mime_type": "image/jpeg"}


def attached(page):
    """The files that the page holds: name, kind and contents of each. They are no links on paper."""
    for link in page.etree_element.iter("a"):
        name = link.attrib.pop("download", None)
        if name is not None:
            kind, _, data = link.attrib.pop("href").removeprefix("data:").partition(";base64,")
            yield name, kind, b64decode(data)


def named(files):
    """Names the attached files in the PDF, as PDF/A-3 wants it."""
    import pydyf

    def finish(_, pdf):
        specs = [it for it in pdf.objects if isinstance(it, dict) and it.get("Type") == "/Filespec"]
        streams = [it for it in pdf.objects if isinstance(it, pydyf.Stream) and it.extra.get("Type") == "/EmbeddedFile"]
        for spec, stream, (name, kind, _) in zip(specs, streams, files, strict=True):
            spec.update(F=pydyf.String(name), UF=pydyf.String(name), AFRelationship="/Data")
            stream.extra.update(Subtype="/" + kind.replace("/", "#2f"))
        if specs:
            pdf.catalog["AF"] = pydyf.Array([spec.reference for spec in specs])

    return finish


logging.getLogger("weasyprint").addHandler(logging.NullHandler())
source = sys.stdin.buffer.read()
page = weasyprint.HTML(string=source, encoding="utf-8", base_url=None, url_fetcher=nothing_else)
files = list(attached(page))
attachments = [weasyprint.Attachment(string=data) for _, _, data in files]
options = {"variant": "pdf/a-3b", "identifier": hashlib.sha256(source).hexdigest()[:32].encode()}
if "variant" not in inspect.signature(page.write_pdf).parameters:
    options = {f"pdf_{name}": value for name, value in options.items()}
sys.stdout.buffer.write(page.write_pdf(attachments=attachments, finisher=named(files), **options))

"""Takes the deliveries of a station's webhook and prints each line once: docs/console.md, Webhooks.

    python3 webhook.py --secret surveillance.secret --listen 127.0.0.1:9000

It needs Python 3.9 and nothing else. Where the station is on another machine, it speaks TLS with the certificate of a
folder that `sabot tls make` has made: --tls hooks --listen 10.20.0.9:8443
"""

import argparse
import hashlib
import hmac
import json
import ssl
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# A delivery that somebody recorded and sends again later is not taken.
OLDEST_S = 300


def signed_by(secret, header, body, now):
    """Whether a body was signed with the secret, not long ago."""
    parts = dict(part.split("=", 1) for part in header.split(",") if "=" in part)
    at = parts.get("t", "")
    if not at.isascii() or not at.isdigit() or abs(now - int(at)) > OLDEST_S:
        return False
    made = hmac.new(secret, at.encode() + b"." + body, hashlib.sha256).hexdigest()
    # as long for a wrong digit as for a right one
    return hmac.compare_digest(made, parts.get("v1", ""))


class Deliveries(BaseHTTPRequestHandler):
    secret = b""
    last = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not signed_by(self.secret, self.headers.get("Sabot-Signature", ""), body, time.time()):
            self.answer(401)
            return
        delivery = json.loads(body)
        if self.headers.get("Content-Type", "").startswith("application/cloudevents+json"):
            # what was delivered stands in the event; source and id together tell it from every other
            delivery = delivery["data"]
        if "verdict" in delivery:
            print(json.dumps(delivery["verdict"], ensure_ascii=False), flush=True)
            self.answer(200)
            return
        lines = delivery["lines"]
        if delivery["after"] is None:
            print("what follows is from a beginning", file=sys.stderr, flush=True)
        # What was taken and not answered in time comes again, perhaps with more.
        taken = [number for number, line in enumerate(lines) if line["id"] == Deliveries.last]
        for line in lines[taken[-1] + 1 if taken else 0 :]:
            print(json.dumps(line, ensure_ascii=False), flush=True)
            Deliveries.last = line["id"]
        # Only what is safe here is answered with 200: the station never sends it again.
        self.answer(200)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--secret", required=True, help="the file that the station's configuration names")
    arguments.add_argument("--listen", default="127.0.0.1:9000", help="address and port")
    arguments.add_argument("--tls", help="a folder with station.crt and station.key")
    given = arguments.parse_args()
    with open(given.secret, "rb") as file:
        Deliveries.secret = file.read().rstrip()
    host, port = given.listen.rsplit(":", 1)
    server = ThreadingHTTPServer((host, int(port)), Deliveries)
    if given.tls:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(given.tls + "/station.crt", given.tls + "/station.key")
        # who connects and says nothing holds up nobody else
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    print("listening on %s:%d" % server.server_address[:2], file=sys.stderr, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes a bookmark for a video system of each finding: which table, from when to when, and why.

    bookmarks.py 127.0.0.1:4222 'sabot.casino.*.*.line' --before 30 --after 15
    bookmarks.py 127.0.0.1:4222 'sabot.casino.*.*.line' --publish
    bookmarks.py 127.0.0.1:4222 'sabot.casino.*.*.line' --post http://127.0.0.1:9000/bookmarks

Each is printed as a CloudEvent (https://cloudevents.io, version 1.0, in JSON), published on the broker under
surveillance.HOUSE.PIT.TABLE.bookmark, and posted to an address. docs/floor-asyncapi.json has its schema. What was sent
again has the same id; who takes it drops what it has. It needs Python 3.9 and floor.py beside it, and nothing else.
"""

import argparse
import json
import urllib.request
from datetime import datetime, timezone

from floor import Broker, findings


def utc(ms):
    return datetime.fromtimestamp(ms / 1000, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def bookmark(house, pit, table, epoch, line, finding, before_ms, after_ms):
    """The finding was made at a time of the record; what led to it is before, what was done about it after."""
    at = epoch + line["t"]
    return {
        "specversion": "1.0",
        "type": "sabot.bookmark",
        "source": f"/sabot/{house}/{pit}/{table}",
        "id": f"{epoch}-{finding['n']}",
        "time": utc(at),
        "datacontenttype": "application/json",
        "data": {
            "table": table,
            "from": utc(at - before_ms),
            "to": utc(at + after_ms),
            "line": finding["line"],
            "pass": finding["pass"],
            "article": finding["provision"],
            "box": finding.get("box"),
            "severity": finding["severity"],
            "text": finding["text"],
        },
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("broker", help="address and port")
    arguments.add_argument("subject", help="sabot.HOUSE.PIT.TABLE.line; * stands for any")
    arguments.add_argument("--before", type=float, default=30, help="seconds before the finding (30)")
    arguments.add_argument("--after", type=float, default=15, help="seconds after it (15)")
    arguments.add_argument("--publish", action="store_true", help="on the broker, under surveillance.…")
    arguments.add_argument("--post", help="an address to post each to")
    given = arguments.parse_args()
    broker = Broker(given.broker)
    for house, pit, table, epoch, _, line in broker.lines(given.subject):
        for finding in findings(line):
            event = bookmark(house, pit, table, epoch, line, finding, given.before * 1000, given.after * 1000)
            body = json.dumps(event, ensure_ascii=False).encode()
            print(body.decode(), flush=True)
            if given.publish:
                broker.publish(f"surveillance.{house}.{pit}.{table}.bookmark", body)
            if given.post:
                kind = {"Content-Type": "application/cloudevents+json"}
                urllib.request.urlopen(urllib.request.Request(given.post, body, kind), timeout=10).close()


if __name__ == "__main__":
    main()

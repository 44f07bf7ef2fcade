#!/usr/bin/env python3
"""Reads what the tables of a floor tell, from the broker, without any library.

    floor.py 127.0.0.1:4222 'sabot.casino.*.*.line'

Prints a line for each line of a record as it is shipped: table, number, event; and for each finding its article and
its words. A message has one line, or several that follow one another. docs/floor.md tells which subjects there are. It
asks for no login and no TLS; a program of a house's own takes a client library of NATS (https://nats.io/download) and a
consumer of the stream SABOT_RECORDS, which also gives what was said before.
"""

import json
import socket
import sys


class Broker:
    """A connection to NATS."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.wire = socket.create_connection((host, int(port))).makefile("rwb")
        info = json.loads(self.wire.readline().split(b" ", 1)[1])
        if not info.get("headers"):
            sys.exit("the broker knows no headers: it is too old")
        self.say(b'CONNECT {"verbose":false,"headers":true,"name":"floor.py"}')

    def say(self, words):
        self.wire.write(words + b"\r\n")
        self.wire.flush()

    def publish(self, subject, payload):
        self.say(b"PUB %s %d\r\n%s" % (subject.encode(), len(payload), payload))

    def messages(self, subject):
        """Subject, headers as text, and payload of each message."""
        self.say(b"SUB %s 1" % subject.encode())
        self.say(b"PING")
        while words := self.wire.readline().split():
            if words[0] == b"PING":
                self.say(b"PONG")
            elif words[0] == b"PONG":
                print("listening", flush=True)
            elif words[0] == b"-ERR":
                sys.exit(b" ".join(words).decode())
            elif words[0] in (b"MSG", b"HMSG"):
                size = int(words[-1])
                headers = int(words[-2]) if words[0] == b"HMSG" else 0
                body = self.wire.read(size + 2)[:size]
                yield words[1].decode(), body[:headers].decode(), body[headers:]

    def lines(self, subject):
        """House, pit, table, when the record was begun (milliseconds since 1970), number and object of each line."""
        for of, headers, payload in self.messages(subject):
            _, house, pit, table, _ = of.split(".", 4)
            (identity,) = [h.split(": ", 1)[1] for h in headers.split("\r\n") if h.lower().startswith("nats-msg-id:")]
            _, _, _, epoch, first = identity.split("/")
            for number, text in enumerate(payload.split(b"\n"), int(first.split("-")[0])):
                yield house, pit, table, int(epoch), number, json.loads(text)


def findings(line):
    return [answer for answer in line.get("answers", []) if answer["out"] == "finding"]


def main(address, subject):
    for house, pit, table, _, number, line in Broker(address).lines(subject):
        print(f"{house}/{pit}/{table} {number} {line['ev']}", flush=True)
        for finding in findings(line):
            print(f"  {finding['provision']}: {finding['text']}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

#!/usr/bin/env python3
"""Reads what the tables of a floor tell, from the broker, without any library.

    floor.py 127.0.0.1:4222 'sabot.casino.*.*.line'

Prints a line for each line of a record as it is shipped: table, number, event; and for each finding its article and
its words. docs/floor.md tells which subjects there are. It asks for no login and no TLS; a program of a house's own
takes a client library of NATS (https://nats.io/download) and a consumer of the stream SABOT_RECORDS, which also gives
what was said before.
"""

import json
import socket
import sys


def messages(address, subject):
    """Subject, headers as text, and payload of each message."""
    host, port = address.rsplit(":", 1)
    broker = socket.create_connection((host, int(port))).makefile("rwb")

    def say(words):
        broker.write(words.encode() + b"\r\n")
        broker.flush()

    info = json.loads(broker.readline().split(b" ", 1)[1])
    if not info.get("headers"):
        sys.exit("the broker knows no headers: it is too old")
    say('CONNECT {"verbose":false,"headers":true,"name":"floor.py"}')
    say(f"SUB {subject} 1")
    say("PING")
    while words := broker.readline().split():
        if words[0] == b"PING":
            say("PONG")
        elif words[0] == b"PONG":
            print("listening", flush=True)
        elif words[0] == b"-ERR":
            sys.exit(b" ".join(words).decode())
        elif words[0] in (b"MSG", b"HMSG"):
            size = int(words[-1])
            headers = int(words[-2]) if words[0] == b"HMSG" else 0
            body = broker.read(size + 2)[:size]
            yield words[1].decode(), body[:headers].decode(), body[headers:]


def main(address, subject):
    for of, headers, payload in messages(address, subject):
        _, house, pit, table, _ = of.split(".", 4)
        (identity,) = [h.split(": ", 1)[1] for h in headers.split("\r\n") if h.lower().startswith("nats-msg-id:")]
        number = identity.rsplit("/", 1)[1].split("-")[0]
        line = json.loads(payload)
        print(f"{house}/{pit}/{table} {number} {line['ev']}", flush=True)
        for answer in line.get("answers", []):
            if answer["out"] == "finding":
                print(f"  {answer['provision']}: {answer['text']}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

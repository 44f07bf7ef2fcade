#!/usr/bin/env python3
"""Holds shoe.py against vectors.txt, as anybody holds his own code against it: docs/wire-protocol.md, section 9.

It says how many vectors of each kind held, and ends with the first that does not.
"""
import collections, os, struct, sys, tempfile

import shoe

HERE = os.path.dirname(os.path.abspath(__file__))
HOST_ONLY = ("host-refuses",)


def data(digits):
    return b"" if digits == "-" else bytes.fromhex(digits)


class Vectors:
    def __init__(self, folder):
        self.sessions, self.device = {}, shoe.Shoe(os.path.join(folder, "memory"), "SH-0001")
        self.device.kept["key"] = "0b" * 16
        self.device.says()
        self.line = None  # the session that is read along

    def crc32c(self, text):
        return f"{shoe.crc32c(data(text)):08x}"

    def xof(self, text):
        return shoe.xof(data(text), 48).hex()

    def aead(self, key, nonce, plain):
        text, tag = shoe.aead(data(key), data(nonce), data(plain), False)
        assert shoe.aead(data(key), data(nonce), text, True) == (data(plain), tag)
        return (text + tag).hex()

    def secrets(self, key, challenge, answer, role, serial, of_host, of_device):
        greeting = shoe.greeting_of(data(key), data(challenge), data(answer), int(role), data(serial))
        shares = [shoe.x25519(data(secret), shoe.BASE) for secret in (of_host, of_device)]
        greeted, turn = greeting["known"] + greeting["proof"], shoe.turn_of(greeting, shares[0])
        shoe.exchange(greeting, shares, shoe.x25519(data(of_device), shares[0]))
        keys = greeting["to_device"] + greeting["to_host"] + greeting["share_proof"]
        return b"".join([greeted, shares[0], turn, shares[1], keys]).hex()

    def keys(self, mark):
        keys = data(self.result)
        self.sessions[mark] = {"mark": int(mark, 16), "to_device": keys[:16], "to_host": keys[16:], "in": 0, "out": 0}
        return self.result

    def x25519(self, secret, point):
        return shoe.x25519(data(secret), data(point)).hex()

    def code(self, *typed):
        return shoe.code_of(" ".join(typed)).hex()

    def pairs(self, code, of_host, of_device, role, serial):
        shares = [shoe.x25519(data(secret), shoe.BASE) for secret in (of_host, of_device)]
        common = shoe.x25519(data(of_device), shares[0])
        assert common == shoe.x25519(data(of_host), shares[1])
        return b"".join([*shares, *shoe.pairs(data(code), shares, common, int(role), data(serial))]).hex()

    def varint(self, number):
        return shoe.varint(int(number)).hex()

    def reads(self, digits):
        number, rest = shoe.read_varint(data(digits))
        assert not rest
        return str(number)

    def unreadable(self, digits):
        try:
            return str(shoe.read_varint(data(digits)))
        except ValueError:
            return None

    def frame(self, body):
        frame = shoe.frame(data(body))
        assert shoe.unframed(frame[1:-1]) == data(body)
        return frame.hex()

    def unframes(self, frame):
        return shoe.unframed(data(frame)[1:-1]).hex()

    def message(self, _direction, *json_and_frame):
        """What the shoe's own messages say is held on the line, by the tests of sabot; here the frame alone."""
        return shoe.frame(shoe.unframed(data(self.result)[1:-1])).hex()

    def seals(self, mark, counter, plain):
        return self.device.sealed(data(plain), {**self.sessions[mark], "out": int(counter) - 1}).hex()

    def opened(self, mark, last, frame):
        self.device.session = {**self.sessions[mark], "in": int(last)}
        return self.device.opened(shoe.unframed(data(frame)[1:-1]))

    def opens(self, *what):
        return self.opened(*what).hex()

    def shut(self, *what):
        return self.opened(*what)

    def senseless(self, *what):
        assert self.opened(*what)
        self.device.session["in"] = int(what[1])
        self.device.takes(shoe.unframed(data(what[2])[1:-1]))
        return self.quiet()

    def refused(self, frame):
        self.device.session = None
        for part in data(frame).split(b"\0"):
            body = shoe.unframed(part) if part else None
            if body:
                self.device.takes(body)
        return self.quiet()

    def quiet(self):
        """Nothing is answered, no key is taken, and no session made."""
        same = not self.device.due and self.device.kept["key"] == "0b" * 16
        return None if same else "an answer"

    def session(self, direction, frame):
        """A whole session as it is on the line, of the shoe SH-1 with the key 0b sixteen times."""
        if direction == "S":  # no frame: the host's secret number
            self.once = data(frame)
            return None
        body = shoe.unframed(data(frame)[1:-1])
        if body[0] == 4 and direction == "D":
            self.challenge = body[1:]
        elif body[0] == 3:
            assert body[1:17] == self.challenge
            self.line = shoe.greeting_of(b"\x0b" * 16, self.challenge, body[17:33], shoe.SHOE, b"SH-1")
            assert self.line["proof"] == body[33:], "the proof"
        elif body[0] == 6:
            share = shoe.x25519(self.once, shoe.BASE)
            assert body[1:] == self.line["answer"] + share + shoe.turn_of(self.line, share), "the host's share"
        elif body[0] == 8:
            shares = [shoe.x25519(self.once, shoe.BASE), body[17:49]]
            shoe.exchange(self.line, shares, shoe.x25519(self.once, shares[1]))
            assert body[49:] == self.line["share_proof"], "the proof of the device's share"
            self.line["ways"] = {"H": 0, "D": 0}
        elif body[0] in shoe.SEALED:
            key = self.line["to_device" if direction == "D" else "to_host"]
            self.device.session = {**self.line, "to_device": key, "in": self.line["ways"][direction]}
            assert self.device.opened(body), "it does not open"
            self.line["ways"][direction] = self.device.session["in"]


def main():
    held = collections.Counter()
    with open(os.path.join(HERE, "vectors.txt")) as file, tempfile.TemporaryDirectory() as folder:
        vectors = Vectors(folder)
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            left, _, vectors.result = line.rpartition(" = ")
            kind, *arguments = (left or line).split(" ")
            if kind in HOST_ONLY:
                continue
            try:
                found = getattr(vectors, kind)(*arguments)
            except (AssertionError, AttributeError, TypeError, ValueError, struct.error) as error:
                sys.exit(f"vectors.txt:{number}: {kind}: {type(error).__name__} {error}")
            gives_reason = kind in ("unreadable", "shut", "senseless", "refused", "session")
            if found != (None if gives_reason else vectors.result):
                sys.exit(f"vectors.txt:{number}: {kind}: {vectors.result}; shoe.py has {found}")
            held[kind] += 1
    for kind, count in sorted(held.items()):
        print(kind, count)


if __name__ == "__main__":
    main()

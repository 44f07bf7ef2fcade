#!/usr/bin/env python3
"""A shoe that speaks the device link, written from docs/wire-protocol.md alone. Numbers in comments are its sections.

    shoe.py --port LINK --memory FILE     a pseudo-terminal, with LINK pointing at it
    shoe.py --serial /dev/ttyUSB0 --memory FILE

It reads what it "sees" from its input, a line each: a card ("9H", "TS", "??"), "cut", "empty", "load 416 80", or "raw"
and an observation in hexadecimal digits, to try what a station makes of a wrong one. FILE is the memory that outlives
a reset: key, ring, epoch, count of starts. Standard library only.
"""
import argparse, json, os, select, struct, sys, termios, time, tty

MASK = (1 << 64) - 1
SEALED, LENGTHS, PROTOCOL, SCHEMA, SHOE = (0x54, 0x55), (20, 48, 88, 184, 317), 4, 0xC97BA247, 0
WINDOW, RING, HELLO_MS, RESEND_MS, RESEND_MAX_MS = 32, 512, 1000, 250, 2000
MAX_FRAME = 344


# Ascon, NIST SP 800-232: words are little-endian

def rotated(word, by):
    return (word >> by | word << (64 - by)) & MASK


def permuted(s, rounds):
    for constant in [0xF0, 0xE1, 0xD2, 0xC3, 0xB4, 0xA5, 0x96, 0x87, 0x78, 0x69, 0x5A, 0x4B][12 - rounds:]:
        a, b, c, d, e = s
        c ^= constant
        a, e, c = a ^ e, e ^ d, c ^ b
        a, b, c, d, e = a ^ ~b & c, b ^ ~c & d, c ^ ~d & e, d ^ ~e & a, e ^ ~a & b
        b, a, d, c = b ^ a, a ^ e, d ^ c, ~c & MASK
        turns = [(a, 19, 28), (b, 61, 39), (c, 1, 6), (d, 10, 17), (e, 7, 41)]
        s = [(word ^ rotated(word, i) ^ rotated(word, j)) & MASK for word, i, j in turns]
    return s


def xof(data, length):
    s = permuted([0x0000080000CC0003, 0, 0, 0, 0], 12)
    padded = data + b"\1" + bytes(-(len(data) + 1) % 8)
    for at in range(0, len(padded), 8):
        s[0] ^= struct.unpack_from("<Q", padded, at)[0]
        s = permuted(s, 12)
    out = b""
    while len(out) < length:
        out += struct.pack("<Q", s[0])
        s = permuted(s, 12)
    return out[:length]


# X25519, RFC 7748

PRIME = 2 ** 255 - 19
BASE = bytes([9]) + bytes(31)


def x25519(secret, point):
    k = int.from_bytes(secret, "little") & ((1 << 255) - 8) | 1 << 254
    u = int.from_bytes(point, "little") & ((1 << 255) - 1)
    a, b, c, d = 1, 0, u, 1  # a/b is so many times the point, c/d once more
    for at in reversed(range(255)):
        is_set = k >> at & 1
        if is_set:
            a, b, c, d = c, d, a, b
        e, f, g, h = a + b, a - b, c + d, c - d
        c, d = (f * g + e * h) ** 2 % PRIME, u * (f * g - e * h) ** 2 % PRIME
        a, b = e * e * f * f % PRIME, (e * e - f * f) * (e * e + 121665 * (e * e - f * f)) % PRIME
        if is_set:
            a, b, c, d = c, d, a, b
    return (a * pow(b, PRIME - 2, PRIME) % PRIME).to_bytes(32, "little")


def code_of(text):
    """12: the ten bytes of the code on the housing."""
    letters = text.upper().replace("-", "").replace(" ", "").translate(str.maketrans("OIL", "011"))
    digits = ["0123456789ABCDEFGHJKMNPQRSTVWXYZ".index(letter) for letter in letters]
    if len(digits) != 16:
        raise ValueError("a code has 16 digits and letters")
    return sum(digit << 5 * (15 - at) for at, digit in enumerate(digits)).to_bytes(10, "big")


def pairs(code, shares, common, role, serial):
    """12: the key, the device's proof and the host's."""
    if not any(common):
        raise ValueError("a share that leads to one secret whatever the other is")
    text = b"sabot-pair-3" + code + b"".join(shares) + common + bytes([role, len(serial)]) + serial
    secrets = xof(text, 48)
    return secrets[:16], secrets[16:32], secrets[32:]


def aead(key, nonce, text, opens):
    """The other text, and the tag."""
    k0, k1 = struct.unpack("<QQ", key)
    s = permuted([0x00001000808C0001, k0, k1, *struct.unpack("<QQ", nonce)], 12)
    s[3], s[4] = s[3] ^ k0, s[4] ^ k1 ^ 1 << 63
    out = b""
    for at in range(0, len(text) + 1, 16):
        part = text[at:at + 16]
        stream = struct.pack("<QQ", s[0], s[1])
        other = bytes(x ^ y for x, y in zip(part, stream))
        out += other
        plain = other if opens else part
        block = plain + b"\1" + bytes(15 - len(plain)) if len(plain) < 16 else plain
        x, y = struct.unpack("<QQ", block)
        s[0], s[1] = s[0] ^ x, s[1] ^ y
        if len(part) == 16:
            s = permuted(s, 8)
    s[2], s[3] = s[2] ^ k0, s[3] ^ k1
    s = permuted(s, 12)
    return out, struct.pack("<QQ", s[3] ^ k0, s[4] ^ k1)


# frames, 2

def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def frame(body):
    out, block = b"", b""
    checked = body + struct.pack("<I", crc32c(body))
    for byte in checked:
        if byte:
            block += bytes([byte])
        if not byte or len(block) == 254:
            out += bytes([len(block) + 1]) + block
            block = b""
    full_to_the_end = byte and not block
    if not full_to_the_end:
        out += bytes([len(block) + 1]) + block
    return b"\0" + out + b"\0"


def unframed(data):
    """The body; none where this is no frame."""
    if len(data) > MAX_FRAME - 2:
        return None
    out, at = b"", 0
    while at < len(data):
        count = data[at]
        block = data[at + 1:at + count]
        if len(block) != count - 1:
            return None
        out, at = out + block, at + count
        if count < 255 and at < len(data):
            out += b"\0"
    body, crc = out[:-4], out[-4:]
    return body if len(out) > 4 and struct.pack("<I", crc32c(body)) == crc else None


# messages, 3

def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def read_varint(data):
    """A number of 32 bits, and what stands behind it."""
    number = 0
    for at, byte in enumerate(data[:5]):
        number |= (byte & 127) << 7 * at
        if byte < 128 and number >> 32 == 0:
            return number, data[at + 1:]
    raise ValueError("no number of 32 bits")


def card_code(name):
    return 255 if name == "??" else "SHDC".index(name[1]) * 13 + "A23456789TJQK".index(name[0])


def observation(line):
    word, *rest = line.split()
    if word == "raw":
        return bytes.fromhex(rest[0])
    if word == "cut":
        return bytes([SHOE, 1])
    if word == "empty":
        return bytes([SHOE, 2])
    if word == "load":
        return bytes([SHOE, 3]) + varint(int(rest[0])) + varint(int(rest[1]))
    return bytes([SHOE, 0, card_code(word)])


def greeting_of(key, challenge, answer, role, serial):  # 4
    secrets = xof(b"sabot-link-4" + key + challenge + answer + bytes([role, len(serial)]) + serial, 48)
    return {"challenge": challenge, "answer": answer, "known": secrets[:32], "proof": secrets[32:], "share": None}


def turn_of(greeting, share):
    """What the host proves with its share."""
    return xof(b"sabot-turn-4" + greeting["known"][:16] + share, 16)


def exchange(greeting, shares, common):
    """From here on it is a session."""
    if not any(common):
        raise ValueError("a share that leads to one secret whatever the other is")
    secrets = xof(b"sabot-keys-4" + greeting["known"] + b"".join(shares) + common, 48)
    greeting.update(mark=0x54 + (greeting["answer"][0] & 1), to_device=secrets[:16], to_host=secrets[16:32],
                    shares=shares, share=shares[1], share_proof=secrets[32:])
    greeting.update({"in": 0, "out": 0})


class Shoe:
    def __init__(self, memory, serial, code=None):
        self.path, self.serial, self.code = memory, serial.encode(), code
        self.offer = self.answer = self.paired = None
        try:
            with open(memory) as file:
                self.kept = json.load(file)
        except (FileNotFoundError, ValueError):  # 5.1: none, or not sound
            epoch = int.from_bytes(os.urandom(4), "big")
            self.kept = {"key": None, "boots": 0, "epoch": epoch, "oldest": 1, "ring": []}
        self.kept["boots"] += 1
        self.keep()
        with open(__file__, "rb") as program:
            self.image = xof(program.read(), 32)
        self.began = time.monotonic()
        self.fresh = self.next_seq()
        # the one that lives, the one that waits to follow it, and a challenge that was answered
        self.session = self.next = self.asked = None
        self.open = self.waits = False
        self.due = [self.hello()]
        self.hello_at = self.now() + HELLO_MS
        self.rewind()

    def keep(self):
        with open(self.path + ".new", "w") as file:
            json.dump(self.kept, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)

    def now(self):
        return int((time.monotonic() - self.began) * 1000) & 0xFFFFFFFF

    def next_seq(self):
        return self.kept["oldest"] + len(self.kept["ring"])

    def rewind(self):
        """5.6: from the oldest again."""
        self.sent, self.patience, self.moved_at = self.kept["oldest"], RESEND_MS, self.now()

    def sees(self, saw):
        """5.8: whether there was room."""
        if len(self.kept["ring"]) >= RING:
            return False
        full = bytes([4, 5])
        for one in [saw, full] if len(self.kept["ring"]) == RING - 2 else [saw]:
            body = b"\0" + varint(self.next_seq()) + varint(self.now()) + one
            self.kept["ring"].append(body.hex())
        self.keep()
        return True

    def hello_fields(self):
        kept, text = self.kept, varint(len(self.serial)) + self.serial
        numbers = [SCHEMA, kept["boots"], kept["epoch"], kept["oldest"]]
        return bytes([PROTOCOL, SHOE]) + text + bytes([0, 1, 0]) + b"".join(map(varint, numbers))

    def hello(self):
        return frame(b"\1" + self.hello_fields())

    def ready(self, session):
        power = b"\0"
        fields = self.hello_fields() + power + varint(self.fresh) + varint(self.now()) + self.image
        return self.sealed(b"\x09" + fields, session)

    def sealed(self, plain, session=None):  # 4
        session = session or self.session
        plain += bytes(next(length for length in LENGTHS if length >= len(plain)) - len(plain))
        session["out"] += 1
        count = session["out"]
        text, tag = aead(session["to_host"], struct.pack("<QQ", count, 0), plain, False)
        return frame(struct.pack("<BH", session["mark"], count & 0xFFFF) + text + tag)

    def opened(self, body):
        """What a sealed body says; none where it does not open, or came before."""
        of = [session for session in (self.session, self.next) if session and session["mark"] == body[0]]
        if not of or len(body) < 20:
            return None
        session, = of
        last = session["in"]
        above = max(last - 32, 0)
        count = above & ~0xFFFF | struct.unpack_from("<H", body, 1)[0]
        count += 0x10000 if count <= above else 0
        plain, tag = aead(session["to_device"], struct.pack("<QQ", count, 0), body[3:-16], True)
        if tag != body[-16:] or count <= last:
            return None
        session["in"], self.waits = count, False
        if session is self.next:  # 5.3: its host holds the key
            self.session, self.next, self.open = session, None, False
            self.rewind()
        return plain

    def takes(self, body):
        try:
            self.obeys(body)
        except ValueError:
            pass  # 2: it is no message

    def obeys(self, body):
        if body[0] in SEALED:
            plain = self.opened(body)
            if plain:
                self.told(plain[0], plain[1:])
        elif body[0] == 1:
            _, rest = read_varint(body[2:])
            if not rest:  # 2: a body counts only when the message uses all of it
                self.due.append(self.hello())
        elif body[0] == 4 and len(body) == 17:
            self.challenged(body[1:])
        elif body[0] == 6 and len(body) == 65:
            self.exchanges(body[1:17], body[17:49], body[49:])
        elif self.kept["key"] is None:  # this shoe has no switch to be given another
            if body[0] == 5 and len(body) == 17 and self.code is None:  # Pair; 4
                self.has_key(body[1:])
            elif body[:2] == b"\x56\0" and len(body) == 34 and self.code:  # Offer; 12
                self.offered(body[2:])
            elif body[:2] == b"\x56\2" and len(body) == 18 and self.paired:  # Confirm; 12
                key, of_host = self.paired
                if body[2:] == of_host:
                    self.paired = None
                    self.kept.update(ring=[], oldest=1, epoch=struct.unpack("<I", os.urandom(4))[0])
                    self.fresh = 1
                    self.has_key(key)
                    self.due.append(self.hello())

    def has_key(self, key):
        self.kept["key"] = key.hex()
        self.session = self.next = self.asked = None
        self.open = False
        self.rewind()
        self.keep()

    def offered(self, offer):  # 12
        if self.offer != offer:
            secret = os.urandom(32)
            share = x25519(secret, BASE)
            key, of_device, of_host = pairs(self.code, [offer, share], x25519(secret, offer), SHOE, self.serial)
            self.offer, self.answer, self.paired = offer, b"\x56\1" + offer + share + of_device, (key, of_host)
        self.due.append(frame(self.answer))

    def challenged(self, challenge):  # 5.3
        if self.kept["key"] is None:
            self.due.append(frame(b"\4"))
            return
        known = [one for one in (self.session, self.next, self.asked) if one and one["challenge"] == challenge]
        one = known[0] if known else self.greets(challenge)
        self.due.append(frame(b"\3" + challenge + one["answer"] + one["proof"]))

    def greets(self, challenge):
        key, answer = bytes.fromhex(self.kept["key"]), bytearray(os.urandom(16))
        if self.session and self.session["mark"] == 0x54 + (answer[0] & 1):
            answer[0] ^= 1
        self.asked = greeting_of(key, challenge, bytes(answer), SHOE, self.serial)
        return self.asked

    def exchanges(self, answer, share, proof):  # 5.3
        known = [one for one in (self.session, self.next, self.asked) if one and one["answer"] == answer]
        if not known:
            return
        one, = known
        if one["share"] is None:
            if proof != turn_of(one, share):
                return
            secret = os.urandom(32)
            exchange(one, [share, x25519(secret, BASE)], x25519(secret, share))
            self.asked = None
            if self.session and self.session["mark"] == one["mark"]:
                return  # another session came to live since: the host asks again
            if self.session:
                self.next, self.waits = one, True
            else:
                self.session, self.open = one, False
                self.rewind()
        if one["shares"][0] == share:
            self.due += [frame(b"\x08" + answer + one["share"] + one["share_proof"]), self.ready(one)]

    def told(self, tag, rest):
        if tag == 0:  # Ack; 5.4
            epoch, rest = read_varint(rest)
            seq, zeros = read_varint(rest)
            if any(zeros) or epoch != self.kept["epoch"]:
                return
            self.open = True
            if self.kept["oldest"] <= seq < self.next_seq():
                was_full = len(self.kept["ring"]) >= RING
                del self.kept["ring"][:seq + 1 - self.kept["oldest"]]
                self.kept["oldest"] = seq + 1
                self.keep()
                self.sent = max(self.sent, seq + 1)
                self.patience, self.moved_at = RESEND_MS, self.now()
                if was_full:
                    self.sees(bytes([4, 6]))  # room again
        elif tag == 1:
            _, zeros = read_varint(rest[1:])
            if not any(zeros):
                self.due.append(self.ready(self.session))
                self.rewind()
        elif tag == 2:  # Ping; 5.7
            ping, zeros = read_varint(rest)
            if not any(zeros):
                self.due.append(self.sealed(b"\7" + varint(ping) + varint(self.now()) + varint(self.next_seq() - 1)))

    def says(self):
        """What goes out now."""
        now = self.now()
        if not self.open and now >= self.hello_at:
            self.due.append(self.hello())
            self.hello_at = now + HELLO_MS
        out, self.due = b"".join(self.due), []
        if not self.open or self.waits:
            return out
        if self.kept["ring"] and self.sent > self.kept["oldest"] and now - self.moved_at >= self.patience:
            patience = min(self.patience * 2, RESEND_MAX_MS)
            self.rewind()
            self.patience = patience
        while self.sent < min(self.next_seq(), self.kept["oldest"] + WINDOW):
            out += self.sealed(bytes.fromhex(self.kept["ring"][self.sent - self.kept["oldest"]]))
            self.sent, self.moved_at = self.sent + 1, now
        return out


def line_of(args):
    if args.serial:
        line = os.open(args.serial, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(line)
        speed = termios.tcgetattr(line)
        speed[4] = speed[5] = termios.B115200
        termios.tcsetattr(line, termios.TCSANOW, speed)
        return line
    line, other = os.openpty()
    tty.setraw(other)
    os.set_blocking(line, False)
    if os.path.islink(args.port):
        os.remove(args.port)
    os.symlink(os.ttyname(other), args.port)
    return line


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--port", help="a link to make, to a pseudo-terminal")
    options.add_argument("--serial", help="a serial port that is there")
    options.add_argument("--memory", required=True, help="what outlives a reset")
    options.add_argument("--code", type=code_of, help="the code on its housing: it is paired by it alone")
    options.add_argument("--name", default="PY-0001", help="the serial number, at most 16 bytes")
    args = options.parse_args()
    if bool(args.port) == bool(args.serial):
        options.error("name --port or --serial")
    line, shoe = line_of(args), Shoe(args.memory, args.name, args.code)
    print(f"the shoe {args.name} is at {args.port or args.serial}", file=sys.stderr, flush=True)
    held, typed, waiting = b"", b"", b""
    while True:
        waiting += shoe.says()
        ready, writable, _ = select.select([line, 0], [line] if waiting else [], [], 0.01)
        if writable:
            try:
                waiting = waiting[os.write(line, waiting):]
            except BlockingIOError:
                pass
        if 0 in ready:
            more = os.read(0, 4096)
            if not more:
                return
            typed += more
            *lines, typed = typed.split(b"\n")
            for text in lines:
                if text.strip() and not shoe.sees(observation(text.decode())):
                    print("the ring is full: do not draw", file=sys.stderr, flush=True)
        if line in ready:
            try:
                held += os.read(line, 4096)
            except OSError:
                time.sleep(0.01)  # nobody has the other end open
                continue
            *frames, held = held.split(b"\0")
            for data in frames:
                body = unframed(data) if data else None
                if body:
                    shoe.takes(body)
            held = held[:MAX_FRAME]  # one that is too long is none, however long


if __name__ == "__main__":
    main()

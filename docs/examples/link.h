/* A shoe's end of the device link, written from docs/wire-protocol.md alone. Numbers in comments are its sections.
 *
 * Nothing is allocated here, and nothing is asked of a system but three functions, which the board gives: this goes into
 * a firmware as it is. shoe.c is such a board; vectors.c holds this against vectors.txt.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    PROTOCOL = 4, SHOE = 0, WINDOW = 32, RING = 512, SAW = 8, SERIAL = 16,
    HELLO_MS = 1000, RESEND_MS = 250, RESEND_MAX_MS = 2000,
    MAX_BODY = 317, MAX_SEALED = MAX_BODY + 19, MAX_FRAME = 344, OUT = 4096,
};
static const uint32_t SCHEMA = 0xc97ba247;
static const uint16_t LENGTHS[] = {20, 48, 88, 184, 317};

/* What the board gives. */
static uint32_t now_ms(void);
static void keep(void);
static void draw(uint8_t *bytes, size_t length); /* random ones */

/* What outlives a reset. */
struct event { uint32_t at_ms; uint8_t length, saw[SAW]; };
static struct {
    uint32_t boots, epoch, oldest, next; /* event n is in slot n % RING, for n from oldest up to next */
    uint8_t has_key, key[16];
    struct event ring[RING];
} kept;

struct session {
    bool is_there;
    uint8_t challenge[16], answer[16], greeting[48];           /* 4 */
    uint8_t of_host[32], share[32], to_device[16], to_host[16], proof[16], mark;
    uint64_t in, out;
};

static struct session living, waiting; /* 5.3: the one that waits may follow the one that lives */
static struct session asked;           /* 5.3: a challenge that was answered, and no session yet */
static char serial[SERIAL + 1] = "C-0001";
static uint8_t image[32];               /* 3: the hash of what runs */
static uint8_t code[10];                /* 12 */
static bool has_code;
static uint32_t fresh, sent, patience, moved_at, hello_at;
static bool is_open, is_quiet, is_full; /* 5; 5.3: no event is sent; 5.8 */
static uint8_t out[OUT];                /* what waits for the line */
static size_t out_length;

/* Ascon, NIST SP 800-232: words are little-endian */

static uint64_t load(const uint8_t *at, size_t length)
{
    uint64_t word = 0;
    for (size_t i = 0; i < length; i++)
        word |= (uint64_t)at[i] << 8 * i;
    return word;
}

static void store(uint8_t *at, uint64_t word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

static uint64_t turned(uint64_t word, int by)
{
    return word >> by | word << (64 - by);
}

static void permute(uint64_t s[5], int rounds)
{
    for (int round = 12 - rounds; round < 12; round++) {
        const uint64_t constant = (uint64_t)(0xf0 - 0x0f * round);
        uint64_t a = s[0] ^ s[4], b = s[1], c = s[2] ^ s[1] ^ constant, d = s[3], e = s[4] ^ s[3];
        uint64_t v = a ^ (~b & c), w = b ^ (~c & d), x = c ^ (~d & e), y = d ^ (~e & a), z = e ^ (~a & b);
        w ^= v, v ^= z, y ^= x, x = ~x;
        s[0] = v ^ turned(v, 19) ^ turned(v, 28);
        s[1] = w ^ turned(w, 61) ^ turned(w, 39);
        s[2] = x ^ turned(x, 1) ^ turned(x, 6);
        s[3] = y ^ turned(y, 10) ^ turned(y, 17);
        s[4] = z ^ turned(z, 7) ^ turned(z, 41);
    }
}

static void xof(const uint8_t *data, size_t length, uint8_t *result, size_t wanted)
{
    uint64_t s[5] = {0x0000080000cc0003};
    permute(s, 12);
    for (; length >= 8; data += 8, length -= 8) {
        s[0] ^= load(data, 8);
        permute(s, 12);
    }
    s[0] ^= load(data, length) ^ (uint64_t)1 << 8 * length;
    for (; wanted > 0; result += 8, wanted -= 8) { /* all that is wanted here has whole words */
        permute(s, 12);
        store(result, s[0], 8);
    }
}

/* Turns a text into the other, in place, and gives the tag. */
static void aead(const uint8_t key[16], const uint8_t nonce[16], uint8_t *text, size_t length, bool opens,
                 uint8_t tag[16])
{
    const uint64_t k0 = load(key, 8), k1 = load(key + 8, 8);
    uint64_t s[5] = {0x00001000808c0001, k0, k1, load(nonce, 8), load(nonce + 8, 8)};
    permute(s, 12);
    s[3] ^= k0;
    s[4] ^= k1 ^ (uint64_t)1 << 63;
    for (;;) {
        const size_t part = length < 16 ? length : 16;
        for (size_t i = 0; i < part; i++) {
            const uint8_t other = (uint8_t)(text[i] ^ s[i / 8] >> 8 * (i % 8)), plain = opens ? other : text[i];
            s[i / 8] ^= (uint64_t)plain << 8 * (i % 8);
            text[i] = other;
        }
        if (part < 16) {
            s[part / 8] ^= (uint64_t)1 << 8 * (part % 8);
            break;
        }
        permute(s, 8);
        text += 16;
        length -= 16;
    }
    s[2] ^= k0;
    s[3] ^= k1;
    permute(s, 12);
    store(tag, s[3] ^ k0, 8);
    store(tag + 8, s[4] ^ k1, 8);
}

#include "curve.h"
#include "pairing.h"

/* frames, 2 */

static uint32_t crc32c(const uint8_t *data, size_t length)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
    }
    return ~crc;
}

static size_t free_room(void)
{
    return OUT - out_length;
}

/* Sends a body, behind which four bytes are free. Where the line takes nothing it is lost, and asked for again. */
static void send_frame(uint8_t *body, size_t length)
{
    if (free_room() < MAX_FRAME)
        return;
    store(body + length, crc32c(body, length), 4);
    length += 4;
    out[out_length++] = 0;
    size_t code = out_length++;
    for (size_t i = 0; i < length; i++) {
        if (body[i] != 0)
            out[out_length++] = body[i];
        const bool is_last = i + 1 == length, is_full_block = out_length - code == 255;
        if (body[i] == 0 || (is_full_block && !is_last)) {
            out[code] = (uint8_t)(out_length - code);
            code = out_length++;
        }
    }
    out[code] = (uint8_t)(out_length - code);
    out[out_length++] = 0;
}

/* The length of the body that comes out of what was collected between two zeros; 0 where that is no frame. */
static size_t unframe(uint8_t *bytes, size_t length)
{
    size_t from = 0, to = 0;
    while (from < length) {
        const size_t code = bytes[from++], count = code - 1;
        if (count > length - from)
            return 0;
        memmove(bytes + to, bytes + from, count);
        to += count;
        from += count;
        if (code < 255 && from < length)
            bytes[to++] = 0;
    }
    if (to <= 4 || load(bytes + to - 4, 4) != crc32c(bytes, to - 4))
        return 0;
    return to - 4;
}

/* messages, 3 */

static size_t put(uint8_t *at, uint32_t number)
{
    size_t length = 0;
    for (; number > 127; number >>= 7)
        at[length++] = (uint8_t)(number | 128);
    at[length++] = (uint8_t)number;
    return length;
}

/* Takes a number of 32 bits from the front; false where none is there. */
static bool take(const uint8_t **at, const uint8_t *end, uint32_t *number)
{
    uint64_t taken = 0;
    for (int shift = 0; shift < 35 && *at < end; shift += 7) {
        const uint8_t byte = *(*at)++;
        taken |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) {
            *number = (uint32_t)taken;
            return taken <= UINT32_MAX;
        }
    }
    return false;
}

/* 4: what fills a message up. */
static bool is_filling(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at == 0)
        at++;
    return at == end;
}

static size_t put_hello(uint8_t *at)
{
    const size_t name = strlen(serial);
    size_t length = 0;
    at[length++] = PROTOCOL;
    at[length++] = SHOE;
    at[length++] = (uint8_t)name;
    memcpy(at + length, serial, name);
    length += name;
    memcpy(at + length, (const uint8_t[]){0, 1, 0}, 3); /* firmware */
    length += 3;
    length += put(at + length, SCHEMA);
    length += put(at + length, kept.boots);
    length += put(at + length, kept.epoch);
    return length + put(at + length, kept.oldest);
}

static void say_hello(void)
{
    uint8_t body[MAX_SEALED + 4] = {1};
    send_frame(body, 1 + put_hello(body + 1));
}

/* 4: body is the message, with room for all it is filled up with */
static void send_sealed(struct session *session, const uint8_t *message, size_t length)
{
    uint8_t body[MAX_SEALED + 4] = {0}, nonce[16] = {0};
    size_t filled = 0;
    while (LENGTHS[filled] < length)
        filled++;
    if (free_room() < MAX_FRAME)
        return; /* no counter is used up for what is not sent */
    session->out++;
    body[0] = session->mark;
    store(body + 1, session->out, 2);
    memcpy(body + 3, message, length);
    store(nonce, session->out, 8);
    aead(session->to_host, nonce, body + 3, LENGTHS[filled], false, body + 3 + LENGTHS[filled]);
    send_frame(body, 19u + LENGTHS[filled]);
}

static void say_ready(struct session *session)
{
    uint8_t body[MAX_BODY] = {9};
    size_t length = 1 + put_hello(body + 1);
    body[length++] = 0; /* it got power */
    length += put(body + length, fresh);
    length += put(body + length, now_ms());
    memcpy(body + length, image, sizeof image);
    send_sealed(session, body, length + sizeof image);
}

/* the ring, 5 */

static uint32_t held(void)
{
    return kept.next - kept.oldest;
}

/* 5.6: from the oldest again */
static void rewind_ring(void)
{
    sent = kept.oldest;
    patience = RESEND_MS;
    moved_at = now_ms();
}

static void enter(const uint8_t *saw, size_t length)
{
    struct event *event = &kept.ring[kept.next % RING];
    event->at_ms = now_ms();
    event->length = (uint8_t)length;
    memcpy(event->saw, saw, length);
    kept.next++;
}

/* 5.8: whether there was room */
static bool sees(const uint8_t *saw, size_t length)
{
    if (is_full)
        return false;
    enter(saw, length);
    if (held() >= RING - 2) {
        is_full = true;
        enter((const uint8_t[]){4, 5}, 2);
    }
    keep();
    return true;
}

/* 5.4 */
static void acknowledged(uint32_t epoch, uint32_t seq)
{
    if (epoch != kept.epoch)
        return;
    is_open = true;
    if (seq < kept.oldest || seq >= kept.next)
        return;
    kept.oldest = seq + 1;
    if (sent < kept.oldest)
        sent = kept.oldest;
    patience = RESEND_MS;
    moved_at = now_ms();
    if (is_full && held() <= RING / 2) {
        is_full = false;
        enter((const uint8_t[]){4, 6}, 2);
    }
    keep();
}

/* sessions, 4 and 5.3 */

static void draw_greeting(struct session *session, uint8_t role)
{
    uint8_t text[12 + 16 + 16 + 16 + 2 + SERIAL];
    const size_t name = strlen(serial);
    memcpy(text, "sabot-link-4", 12);
    memcpy(text + 12, kept.key, 16);
    memcpy(text + 28, session->challenge, 16);
    memcpy(text + 44, session->answer, 16);
    text[60] = role;
    text[61] = (uint8_t)name;
    memcpy(text + 62, serial, name);
    xof(text, 62 + name, session->greeting, 48);
}

/* What the host proves with its share. */
static void draw_turn(const struct session *session, const uint8_t share[32], uint8_t turn[16])
{
    uint8_t text[12 + 16 + 32];
    memcpy(text, "sabot-turn-4", 12);
    memcpy(text + 12, session->greeting, 16);
    memcpy(text + 28, share, 32);
    xof(text, sizeof text, turn, 16);
}

/* From here on it is a session; false where the host's share leads to one secret whatever the other is. */
static bool draw_keys(struct session *session, const uint8_t common[32])
{
    static const uint8_t nothing[32];
    uint8_t keys[48], text[12 + 32 + 32 + 32 + 32];
    memcpy(text, "sabot-keys-4", 12);
    memcpy(text + 12, session->greeting, 32);
    memcpy(text + 44, session->of_host, 32);
    memcpy(text + 76, session->share, 32);
    memcpy(text + 108, common, 32);
    xof(text, sizeof text, keys, 48);
    memcpy(session->to_device, keys, 16);
    memcpy(session->to_host, keys + 16, 16);
    memcpy(session->proof, keys + 32, 16);
    session->mark = 0x54 + (session->answer[0] & 1);
    session->in = session->out = 0;
    return memcmp(common, nothing, 32) != 0;
}

static struct session *session_with(const uint8_t *what, size_t offset)
{
    struct session *all[] = {&living, &waiting, &asked};
    for (int i = 0; i < 3; i++)
        if (all[i]->is_there && memcmp((const uint8_t *)all[i] + offset, what, 16) == 0)
            return all[i];
    return NULL;
}

static void challenged(const uint8_t challenge[16])
{
    uint8_t body[MAX_SEALED + 4] = {4};
    if (!kept.has_key) {
        send_frame(body, 1); /* unpaired */
        return;
    }
    struct session *session = session_with(challenge, offsetof(struct session, challenge));
    if (!session) {
        session = &asked;
        memset(&asked, 0, sizeof asked);
        asked.is_there = true;
        memcpy(asked.challenge, challenge, 16);
        draw(asked.answer, 16);
        if (living.is_there && living.mark == 0x54 + (asked.answer[0] & 1))
            asked.answer[0] ^= 1;
        draw_greeting(&asked, SHOE);
    }
    body[0] = 3;
    memcpy(body + 1, challenge, 16);
    memcpy(body + 17, session->answer, 16);
    memcpy(body + 33, session->greeting + 32, 16);
    send_frame(body, 49);
}

/* 5.3: nothing is computed for who has not proved that he holds the key */
static void exchanges(const uint8_t answer[16], const uint8_t share[32], const uint8_t proof[16])
{
    uint8_t turn[16], secret[32], common[32], body[MAX_SEALED + 4] = {8};
    struct session *session = session_with(answer, offsetof(struct session, answer));
    if (session == &asked) {
        draw_turn(&asked, share, turn);
        if (memcmp(turn, proof, 16) != 0)
            return;
        draw(secret, 32);
        x25519(asked.share, secret, BASE);
        x25519(common, secret, share);
        memset(secret, 0, sizeof secret);
        memcpy(asked.of_host, share, 32);
        asked.is_there = false;
        if (!draw_keys(&asked, common) || (living.is_there && living.mark == asked.mark))
            return; /* another session came to live since: the host asks again */
        session = living.is_there ? &waiting : &living;
        *session = asked;
        session->is_there = true;
        if (session == &waiting) {
            is_quiet = true;
        } else {
            is_open = false;
            rewind_ring();
        }
    }
    if (!session || memcmp(session->of_host, share, 32) != 0)
        return;
    memcpy(body + 1, answer, 16);
    memcpy(body + 17, session->share, 32);
    memcpy(body + 49, session->proof, 16);
    send_frame(body, 65);
    say_ready(session);
}

/* 4: the key is kept before anything is answered */
static void has_key(const uint8_t key[16])
{
    kept.has_key = 1;
    memcpy(kept.key, key, 16);
    living.is_there = waiting.is_there = asked.is_there = is_open = is_quiet = false;
    keep();
}

/* 12: what both know of the last offer; this shoe has no switch to be given another key */
static struct { uint8_t offer[32], share[32], secrets[48]; bool is_there; } pairs;

static void offered(const uint8_t offer[32])
{
    uint8_t secret[32], common[32], body[MAX_SEALED + 4] = {0x56, 1};
    if (!pairs.is_there || memcmp(pairs.offer, offer, 32) != 0) {
        draw(secret, 32);
        memcpy(pairs.offer, offer, 32);
        x25519(pairs.share, secret, BASE);
        x25519(common, secret, offer);
        memset(secret, 0, sizeof secret);
        pairs.is_there = pair_secrets(code, offer, pairs.share, common, SHOE, pairs.secrets);
    }
    if (!pairs.is_there)
        return;
    memcpy(body + 2, offer, 32);
    memcpy(body + 34, pairs.share, 32);
    memcpy(body + 66, pairs.secrets + 16, 16);
    send_frame(body, 82);
}

static void confirmed(const uint8_t proof[16])
{
    if (!pairs.is_there || memcmp(proof, pairs.secrets + 32, 16) != 0)
        return;
    pairs.is_there = false;
    draw((uint8_t *)&kept.epoch, 4); /* what it saw for the host of its last key is nobody else's */
    kept.oldest = kept.next = fresh = 1;
    is_full = false;
    has_key(pairs.secrets);
    rewind_ring();
    say_hello();
}

static void told(const uint8_t *message, size_t length)
{
    const uint8_t *at = message + 1, *end = message + length;
    uint8_t answer[MAX_BODY] = {7};
    uint32_t first, second;
    size_t used = 1;
    if (message[0] == 0 && take(&at, end, &first) && take(&at, end, &second) && is_filling(at, end)) {
        acknowledged(first, second);
    } else if (message[0] == 1 && ++at < end && take(&at, end, &first) && is_filling(at, end)) {
        say_ready(&living);
        rewind_ring();
    } else if (message[0] == 2 && take(&at, end, &first) && is_filling(at, end)) { /* 5.7 */
        used += put(answer + used, first);
        used += put(answer + used, now_ms());
        used += put(answer + used, kept.next - 1);
        send_sealed(&living, answer, used);
    }
}

/* Whether a sealed body opens in this session, once. */
static bool opens(struct session *session, uint8_t *body, size_t length)
{
    const uint64_t above = session->in < 32 ? 0 : session->in - 32;
    uint64_t count = (above & ~(uint64_t)0xffff) | load(body + 1, 2);
    uint8_t nonce[16] = {0}, tag[16], difference = 0;
    if (!session->is_there || session->mark != body[0])
        return false;
    count += count <= above ? 0x10000 : 0;
    store(nonce, count, 8);
    aead(session->to_device, nonce, body + 3, length - 19, true, tag);
    for (int i = 0; i < 16; i++)
        difference |= tag[i] ^ body[length - 16 + (size_t)i];
    if (difference != 0 || count <= session->in)
        return false;
    session->in = count;
    return true;
}

static void takes_sealed(uint8_t *body, size_t length)
{
    if (length < 20)
        return;
    if (opens(&waiting, body, length)) { /* its marks differ, so nothing was done to the body where it is not of it */
        living = waiting;
        waiting.is_there = is_open = false;
        rewind_ring();
    } else if (!opens(&living, body, length)) {
        return;
    }
    is_quiet = false;
    told(body + 3, length - 19);
}

static void takes(uint8_t *body, size_t length)
{
    const uint8_t *at = body + 2;
    uint32_t schema;
    if (body[0] == 0x54 || body[0] == 0x55)
        takes_sealed(body, length);
    else if (body[0] == 1 && length > 2 && take(&at, body + length, &schema) && at == body + length)
        say_hello();
    else if (body[0] == 4 && length == 17)
        challenged(body + 1);
    else if (body[0] == 6 && length == 65)
        exchanges(body + 1, body + 17, body + 49);
    else if (kept.has_key)
        return;
    else if (body[0] == 5 && length == 17 && !has_code)
        has_key(body + 1);
    else if (body[0] == 0x56 && body[1] == 0 && length == 34 && has_code)
        offered(body + 2);
    else if (body[0] == 0x56 && body[1] == 2 && length == 18 && has_code)
        confirmed(body + 2);
}

static void hears(uint8_t byte)
{
    static uint8_t collected[MAX_FRAME - 2];
    static size_t length;
    if (byte != 0) {
        if (length < sizeof collected)
            collected[length] = byte;
        length += length <= sizeof collected; /* one more than fits: it is no frame */
        return;
    }
    const size_t body = length <= sizeof collected ? unframe(collected, length) : 0;
    length = 0;
    if (body > 0)
        takes(collected, body);
}

/* What is due now, 5.2, 5.5 and 5.6. */
static void says(void)
{
    const uint32_t now = now_ms();
    if (!is_open && (int32_t)(now - hello_at) >= 0) {
        say_hello();
        hello_at = now + HELLO_MS;
    }
    if (!is_open || is_quiet)
        return;
    if (sent > kept.oldest && now - moved_at >= patience) {
        const uint32_t doubled = patience * 2;
        rewind_ring();
        patience = doubled < RESEND_MAX_MS ? doubled : RESEND_MAX_MS;
    }
    while (sent < kept.next && sent < kept.oldest + WINDOW && free_room() >= 2 * MAX_FRAME) {
        const struct event *event = &kept.ring[sent % RING];
        uint8_t body[MAX_BODY] = {0};
        size_t length = 1;
        length += put(body + length, sent);
        length += put(body + length, event->at_ms);
        memcpy(body + length, event->saw, event->length);
        send_sealed(&living, body, length + event->length);
        sent++;
        moved_at = now;
    }
}

static void starts(bool is_ring_sound)
{
    if (!is_ring_sound) { /* 5.1 */
        memset(&kept, 0, sizeof kept);
        draw((uint8_t *)&kept.epoch, 4);
        kept.oldest = kept.next = 1;
    }
    kept.boots++;
    keep();
    fresh = kept.next;
    is_full = held() >= RING - 2;
    hello_at = now_ms();
    rewind_ring();
}

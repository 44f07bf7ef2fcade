/* Holds link.h against vectors.txt, as anybody holds his own code against it: docs/wire-protocol.md, section 9.
 *
 *     cc -std=c11 -O2 -o vectors vectors.c && ./vectors < vectors.txt
 *
 * It says how many vectors of each kind held, and ends with the first that does not.
 */
#include <stdio.h>
#include <stdlib.h>

#include "link.h"

enum { MOST = 8, ROOM = 4096 };

/* A line, in its parts. */
static struct { const char *argument[MOST], *result; } vector;
static struct session sessions[2], read_along;
static uint64_t read_so_far[2];
static int keeps;

static uint32_t now_ms(void)
{
    return 0;
}

static void keep(void)
{
    keeps++;
}

static void draw(uint8_t *bytes, size_t length)
{
    memset(bytes, 1, length);
}

static size_t bytes_of(const char *digits, uint8_t *bytes)
{
    size_t length = 0;
    for (unsigned byte; digits[0] != '-' && sscanf(digits + 2 * length, "%2x", &byte) == 1; length++)
        bytes[length] = (uint8_t)byte;
    return length;
}

static bool is(const uint8_t *bytes, size_t length, const char *digits)
{
    uint8_t expected[ROOM];
    return bytes_of(digits, expected) == length && memcmp(bytes, expected, length) == 0;
}

static size_t argument(int which, uint8_t *bytes)
{
    return bytes_of(vector.argument[which], bytes);
}

/* The body of a frame, with its zeros. */
static size_t body_of(const char *frame, uint8_t *body)
{
    uint8_t bytes[ROOM];
    const size_t length = bytes_of(frame, bytes);
    if (length < 3 || length > MAX_FRAME)
        return 0;
    memcpy(body, bytes + 1, length - 2);
    return unframe(body, length - 2);
}

static bool is_sent(const char *frame)
{
    const bool same = is(out, out_length, frame);
    out_length = 0;
    return same;
}

static bool crc32c_holds(void)
{
    uint8_t text[ROOM];
    const size_t length = argument(0, text);
    return crc32c(text, length) == strtoul(vector.result, NULL, 16);
}

static bool xof_holds(void)
{
    uint8_t text[ROOM], hash[48];
    xof(text, argument(0, text), hash, sizeof hash);
    return is(hash, sizeof hash, vector.result);
}

static bool aead_holds(void)
{
    uint8_t key[16], nonce[16], text[ROOM], plain[ROOM], tag[16], again[16];
    argument(0, key);
    argument(1, nonce);
    const size_t length = argument(2, text);
    memcpy(plain, text, length);
    aead(key, nonce, text, length, false, tag);
    memcpy(text + length, tag, 16);
    if (!is(text, length + 16, vector.result))
        return false;
    aead(key, nonce, text, length, true, again);
    return memcmp(text, plain, length) == 0 && memcmp(tag, again, 16) == 0;
}

static bool x25519_holds(void)
{
    uint8_t secret[32], point[32], common[32];
    argument(0, secret);
    argument(1, point);
    x25519(common, secret, point);
    return is(common, sizeof common, vector.result);
}

static bool code_holds(void)
{
    char typed[64] = "";
    uint8_t bytes[10];
    for (int i = 0; i < MOST && vector.argument[i]; i++)
        strncat(typed, vector.argument[i], sizeof typed - strlen(typed) - 1);
    return code_of(typed, bytes) && is(bytes, sizeof bytes, vector.result);
}

static bool pairs_hold(void)
{
    uint8_t digits[10], of_host[32], of_device[32], common[32], again[32], all[112];
    argument(0, digits);
    argument(1, of_host);
    argument(2, of_device);
    const size_t length = argument(4, (uint8_t *)serial);
    serial[length] = 0;
    x25519(all, of_host, BASE);
    x25519(all + 32, of_device, BASE);
    x25519(common, of_device, all);
    x25519(again, of_host, all + 32);
    return pair_secrets(digits, all, all + 32, common, atoi(vector.argument[3]), all + 64)
           && memcmp(common, again, 32) == 0 && is(all, sizeof all, vector.result);
}

static bool secrets_hold(void)
{
    struct session session = {.is_there = true};
    uint8_t all[176], name[SERIAL], of_host[32], of_device[32], common[32];
    argument(0, kept.key);
    argument(1, session.challenge);
    argument(2, session.answer);
    const size_t length = argument(4, name);
    memcpy(serial, name, length);
    serial[length] = 0;
    argument(5, of_host);
    argument(6, of_device);
    draw_greeting(&session, (uint8_t)atoi(vector.argument[3]));
    x25519(session.of_host, of_host, BASE);
    x25519(session.share, of_device, BASE);
    x25519(common, of_device, session.of_host);
    memcpy(all, session.greeting, 48);
    memcpy(all + 48, session.of_host, 32);
    draw_turn(&session, session.of_host, all + 80);
    memcpy(all + 96, session.share, 32);
    if (!draw_keys(&session, common))
        return false;
    memcpy(all + 128, session.to_device, 16);
    memcpy(all + 144, session.to_host, 16);
    memcpy(all + 160, session.proof, 16);
    return is(all, sizeof all, vector.result);
}

static bool keys_hold(void)
{
    const uint8_t mark = (uint8_t)strtoul(vector.argument[0], NULL, 16);
    struct session session = {.is_there = true, .mark = mark};
    uint8_t keys[ROOM];
    if (bytes_of(vector.result, keys) != 32)
        return false;
    memcpy(session.to_device, keys, 16);
    memcpy(session.to_host, keys + 16, 16);
    sessions[mark & 1] = session;
    return true;
}

static bool varint_holds(void)
{
    uint8_t bytes[5];
    return is(bytes, put(bytes, (uint32_t)strtoul(vector.argument[0], NULL, 10)), vector.result);
}

static bool read_number(uint32_t *number)
{
    uint8_t bytes[ROOM];
    const uint8_t *at = bytes, *end = bytes + argument(0, bytes);
    return take(&at, end, number) && at == end;
}

static bool reads_holds(void)
{
    uint32_t number;
    return read_number(&number) && number == strtoul(vector.result, NULL, 10);
}

static bool unreadable_holds(void)
{
    uint32_t number;
    return !read_number(&number);
}

static bool frame_holds(void)
{
    uint8_t body[ROOM], sent_body[ROOM];
    const size_t length = argument(0, body);
    memcpy(sent_body, body, length);
    send_frame(sent_body, length);
    const bool is_same = body_of(vector.result, sent_body) == length && memcmp(body, sent_body, length) == 0;
    return is_sent(vector.result) && is_same;
}

static bool unframes_holds(void)
{
    uint8_t body[ROOM];
    return is(body, body_of(vector.argument[0], body), vector.result);
}

/* What the shoe's own messages say is held on the line, by the tests of sabot; here the frame alone. */
static bool message_holds(void)
{
    uint8_t body[ROOM];
    send_frame(body, body_of(vector.result, body));
    return is_sent(vector.result);
}

static struct session *session_named(const char *mark)
{
    return &sessions[strtoul(mark, NULL, 16) & 1];
}

static bool seals_holds(void)
{
    uint8_t message[ROOM];
    struct session session = *session_named(vector.argument[0]);
    session.out = strtoull(vector.argument[1], NULL, 10) - 1;
    send_sealed(&session, message, argument(2, message));
    return is_sent(vector.result);
}

/* Opens the frame in that session; gives the length of what it says. */
static size_t opened(uint8_t *body)
{
    living = *session_named(vector.argument[0]);
    living.in = strtoull(vector.argument[1], NULL, 10);
    const size_t length = body_of(vector.argument[2], body);
    return length > 19 && opens(&living, body, length) ? length - 19 : 0;
}

static bool opens_holds(void)
{
    uint8_t body[ROOM];
    const size_t length = opened(body);
    return length > 0 && is(body + 3, length, vector.result);
}

static bool shut_holds(void)
{
    uint8_t body[ROOM];
    const uint64_t before = strtoull(vector.argument[1], NULL, 10);
    return opened(body) == 0 && living.in == before;
}

/* Nothing is answered, no key is taken, and no session made. */
static bool hears_nothing(const char *frame)
{
    uint8_t bytes[ROOM];
    const size_t length = bytes_of(frame, bytes);
    const bool lived = living.is_there;
    kept.has_key = 1;
    keeps = 0;
    for (size_t i = 0; i < length; i++)
        hears(bytes[i]);
    return out_length == 0 && keeps == 0 && living.is_there == lived && !waiting.is_there;
}

static bool senseless_holds(void)
{
    uint8_t body[ROOM];
    if (opened(body) == 0)
        return false;
    living.in = strtoull(vector.argument[1], NULL, 10);
    return hears_nothing(vector.argument[2]) && living.in > 0;
}

static bool refused_holds(void)
{
    living.is_there = false;
    return hears_nothing(vector.argument[0]);
}

/* A whole session as it is on the line, of the shoe SH-1 with the key 0b sixteen times. */
static bool session_holds(void)
{
    const bool to_device = vector.argument[0][0] == 'D';
    static uint8_t once[32]; /* the host's secret number */
    uint8_t body[ROOM], common[32], turn[16];
    if (vector.argument[0][0] == 'S')
        return argument(1, once) == sizeof once;
    const size_t length = body_of(vector.argument[1], body);
    if (body[0] == 4 && to_device) {
        memset(kept.key, 0x0b, 16);
        strcpy(serial, "SH-1");
        memcpy(read_along.challenge, body + 1, 16);
    } else if (body[0] == 3) {
        memcpy(read_along.answer, body + 17, 16);
        draw_greeting(&read_along, SHOE);
        return memcmp(body + 1, read_along.challenge, 16) == 0 && memcmp(body + 33, read_along.greeting + 32, 16) == 0;
    } else if (body[0] == 6 && to_device) {
        x25519(read_along.of_host, once, BASE);
        draw_turn(&read_along, read_along.of_host, turn);
        return memcmp(body + 1, read_along.answer, 16) == 0 && memcmp(body + 17, read_along.of_host, 32) == 0
               && memcmp(body + 49, turn, 16) == 0;
    } else if (body[0] == 8) {
        memcpy(read_along.share, body + 17, 32);
        x25519(common, once, read_along.share);
        return draw_keys(&read_along, common) && memcmp(body + 49, read_along.proof, 16) == 0;
    } else if (body[0] == 0x54 || body[0] == 0x55) {
        struct session way = read_along;
        way.is_there = true;
        way.in = read_so_far[to_device];
        if (!to_device)
            memcpy(way.to_device, way.to_host, 16);
        const bool is_open_now = length > 19 && opens(&way, body, length);
        read_so_far[to_device] = way.in;
        return is_open_now;
    }
    return length > 0;
}

static struct { const char *name; bool (*holds)(void); int count; } kinds[] = {
    {"aead", aead_holds, 0}, {"code", code_holds, 0}, {"crc32c", crc32c_holds, 0}, {"frame", frame_holds, 0},
    {"keys", keys_hold, 0}, {"message", message_holds, 0}, {"opens", opens_holds, 0}, {"pairs", pairs_hold, 0}, {"reads", reads_holds, 0}, {"refused", refused_holds, 0}, {"seals", seals_holds, 0},
    {"secrets", secrets_hold, 0}, {"senseless", senseless_holds, 0}, {"session", session_holds, 0},
    {"shut", shut_holds, 0}, {"unframes", unframes_holds, 0}, {"unreadable", unreadable_holds, 0},
    {"varint", varint_holds, 0}, {"x25519", x25519_holds, 0}, {"xof", xof_holds, 0},
};

static bool line_holds(char *line)
{
    const size_t all = sizeof kinds / sizeof *kinds;
    char *equals = NULL;
    for (char *next = strstr(line, " = "); next; next = strstr(next + 1, " = "))
        equals = next;
    if (equals)
        *equals = 0;
    vector.result = equals ? equals + 3 : "";
    const char *kind = strtok(line, " ");
    for (int i = 0; i < MOST; i++)
        vector.argument[i] = strtok(NULL, " ");
    for (size_t i = 0; i < all; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].count++, kinds[i].holds();
    return strcmp(kind, "host-refuses") == 0; /* what only a host can hold */
}

int main(void)
{
    static char line[ROOM];
    for (int number = 1; fgets(line, sizeof line, stdin); number++) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] != 0 && line[0] != '#' && !line_holds(line)) {
            fprintf(stderr, "vectors.txt:%d: %s: not what link.h has\n", number, line);
            return 1;
        }
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        printf("%s %d\n", kinds[i].name, kinds[i].count);
    return 0;
}

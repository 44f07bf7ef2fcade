/* X25519 of RFC 7748; link.h includes it.
 *
 * A number has 16 limbs of 16 bits, the least first, each of which may be a little larger than that.
 */
typedef uint64_t number[16];

static void carry(number a)
{
    for (int turn = 0; turn < 3; turn++) {
        uint64_t over = 0;
        for (int i = 0; i < 16; i++) {
            a[i] += over;
            over = a[i] >> 16;
            a[i] &= 0xffff;
        }
        a[0] += 38 * over; /* 2^256 is 38 */
    }
}

static void add(number sum, const number a, const number b)
{
    for (int i = 0; i < 16; i++)
        sum[i] = a[i] + b[i];
    carry(sum);
}

static void subtract(number rest, const number a, const number b)
{
    for (int i = 0; i < 16; i++)
        rest[i] = a[i] + (i == 0 ? UINT64_C(0x3ff68) : UINT64_C(0x3fffc)) - b[i]; /* four times 2^256 - 38, which is nothing */
    carry(rest);
}

static void multiply(number product, const number a, const number b)
{
    uint64_t all[32] = {0};
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++)
            all[i + j] += a[i] * b[j];
    for (int i = 0; i < 16; i++)
        product[i] = all[i] + 38 * all[i + 16];
    carry(product);
}

/* 1 / a: its power 2^255 - 21, in which the bits 2 and 4 alone are clear */
static void invert(number inverse, const number a)
{
    number power;
    memcpy(power, a, sizeof power);
    for (int bit = 253; bit >= 0; bit--) {
        multiply(power, power, power);
        if (bit != 2 && bit != 4)
            multiply(power, power, a);
    }
    memcpy(inverse, power, sizeof power);
}

/* without a branch that depends on what is secret */
static void swap(uint64_t is_set, number a, number b)
{
    for (int i = 0; i < 16; i++) {
        const uint64_t change = (0 - is_set) & (a[i] ^ b[i]);
        a[i] ^= change;
        b[i] ^= change;
    }
}

/* The least number that is the same, as bytes. */
static void write_number(uint8_t bytes[32], number a)
{
    carry(a);
    for (int turn = 0; turn < 2; turn++) { /* 2^255 is 19 */
        uint64_t over = a[15] >> 15;
        a[15] &= 0x7fff;
        over *= 19;
        for (int i = 0; i < 16; i++) {
            a[i] += over;
            over = i < 15 ? a[i] >> 16 : 0;
            a[i] &= i < 15 ? 0xffff : UINT64_MAX;
        }
    }
    uint64_t over = 19; /* is it 2^255 - 19 or more? */
    for (int i = 0; i < 15; i++)
        over = (a[i] + over) >> 16;
    over = 19 * ((a[15] + over) >> 15);
    for (int i = 0; i < 16; i++) {
        a[i] += over;
        over = a[i] >> 16;
        a[i] &= i < 15 ? 0xffff : 0x7fff;
        store(bytes + 2 * i, a[i], 2);
    }
}

static void x25519(uint8_t result[32], const uint8_t secret[32], const uint8_t point[32])
{
    uint8_t k[32];
    memcpy(k, secret, sizeof k);
    k[0] &= 0xf8;
    k[31] = (uint8_t)((k[31] & 0x7f) | 0x40);
    static const number factor = {0xdb41, 1}; /* 121665 */
    number u, a = {1}, b = {0}, c, d = {1}, e, f, g, h;
    for (int i = 0; i < 16; i++)
        u[i] = load(point + 2 * i, 2);
    u[15] &= 0x7fff;
    memcpy(c, u, sizeof c);
    for (int bit = 254; bit >= 0; bit--) { /* a/b is so many times the point, c/d once more */
        const uint64_t is_set = k[bit / 8] >> bit % 8 & 1;
        swap(is_set, a, c);
        swap(is_set, b, d);
        add(e, a, b);
        subtract(f, a, b);
        add(g, c, d);
        subtract(h, c, d);
        multiply(g, g, f);
        multiply(h, h, e);
        add(c, g, h);
        multiply(c, c, c);
        subtract(d, g, h);
        multiply(d, d, d);
        multiply(d, d, u);
        multiply(e, e, e);
        multiply(f, f, f);
        multiply(a, e, f);
        subtract(g, e, f);
        multiply(h, g, factor);
        add(h, h, e);
        multiply(b, g, h);
        swap(is_set, a, c);
        swap(is_set, b, d);
    }
    invert(b, b);
    multiply(a, a, b);
    write_number(result, a);
}

static const uint8_t BASE[32] = {9};

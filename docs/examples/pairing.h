/* Pairing by a code: docs/wire-protocol.md, section 12; link.h includes it. */

/* The ten bytes of the code on the housing; false where it is none. */
static bool code_of(const char *text, uint8_t code[10])
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    int count = 0;
    memset(code, 0, 10);
    for (; *text; text++) {
        char letter = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;
        if (letter == '-' || letter == ' ')
            continue;
        letter = letter == 'O' ? '0' : letter == 'I' || letter == 'L' ? '1' : letter;
        const char *at = strchr(digits, letter);
        if (!at || count == 16)
            return false;
        for (int bit = 0; bit < 5; bit++, count += bit == 5)
            if ((at - digits) >> (4 - bit) & 1)
                code[(5 * count + bit) / 8] |= (uint8_t)(0x80 >> (5 * count + bit) % 8);
    }
    return count == 16;
}

/* The key, the device's proof and the host's, 16 bytes each; false where the shares lead to one secret whatever the
 * other is. */
static bool pair_secrets(const uint8_t code[10], const uint8_t share_of_host[32], const uint8_t share_of_device[32],
                         const uint8_t common[32], int role, uint8_t secrets[48])
{
    static const uint8_t nothing[32];
    uint8_t text[12 + 10 + 96 + 2 + SERIAL];
    const size_t length = strlen(serial);
    memcpy(text, "sabot-pair-3", 12);
    memcpy(text + 12, code, 10);
    memcpy(text + 22, share_of_host, 32);
    memcpy(text + 54, share_of_device, 32);
    memcpy(text + 86, common, 32);
    text[118] = (uint8_t)role;
    text[119] = (uint8_t)length;
    memcpy(text + 120, serial, length);
    xof(text, 120 + length, secrets, 48);
    return memcmp(common, nothing, 32) != 0;
}

/* A shoe that speaks the device link, written from docs/wire-protocol.md alone: the link is in link.h, the board here.
 *
 *     cc -std=c11 -O2 -o shoe shoe.c
 *     ./shoe --port LINK --memory FILE              a pseudo-terminal, with LINK pointing at it
 *     ./shoe --serial /dev/ttyUSB0 --memory FILE
 *     ./shoe … --code 7K2M-0QXV-93TD-HB5E         is paired by this code, and no longer in the clear
 *
 * It reads what it "sees" from its input, a line each: a card ("9H", "TS", "??"), "cut", "empty", "load 416 80", or
 * "raw" and an observation in hexadecimal digits, to try what a station makes of a wrong one. FILE is the memory that
 * outlives a reset: key, ring, epoch, count of starts.
 */
#define _DEFAULT_SOURCE
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "link.h"

/* A process with a pseudo-terminal, a file, and a person who types. */

static const char *memory_path;
static struct timespec began;

static void fails(const char *what)
{
    fprintf(stderr, "shoe: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint32_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((now.tv_sec - began.tv_sec) * 1000 + (now.tv_nsec - began.tv_nsec) / 1000000);
}

/* The file is the old one or the new one, whenever the power goes. */
static void keep(void)
{
    char fresh_path[4096];
    uint8_t crc[4];
    snprintf(fresh_path, sizeof fresh_path, "%s.new", memory_path);
    store(crc, crc32c((const uint8_t *)&kept, sizeof kept), 4);
    FILE *file = fopen(fresh_path, "wb");
    if (!file || fwrite(&kept, sizeof kept, 1, file) != 1 || fwrite(crc, 4, 1, file) != 1 || fflush(file) != 0 ||
        fsync(fileno(file)) != 0 || fclose(file) != 0 || rename(fresh_path, memory_path) != 0)
        fails(memory_path);
}

static bool recall(void)
{
    uint8_t crc[4];
    FILE *file = fopen(memory_path, "rb");
    if (!file)
        return false;
    const bool is_read = fread(&kept, sizeof kept, 1, file) == 1 && fread(crc, 4, 1, file) == 1;
    fclose(file);
    return is_read && load(crc, 4) == crc32c((const uint8_t *)&kept, sizeof kept);
}

static void draw(uint8_t *bytes, size_t length)
{
    FILE *source = fopen("/dev/urandom", "rb");
    if (!source || fread(bytes, length, 1, source) != 1)
        fails("/dev/urandom");
    fclose(source);
}

/* The hash of this program. */
static void find_image(void)
{
    static uint8_t program[1 << 20];
    FILE *file = fopen("/proc/self/exe", "rb");
    if (!file)
        fails("/proc/self/exe");
    xof(program, fread(program, 1, sizeof program, file), image, sizeof image);
    fclose(file);
}

static int line_at(const char *link, const char *device)
{
    const int line = device ? open(device, O_RDWR | O_NOCTTY | O_NONBLOCK) : posix_openpt(O_RDWR | O_NOCTTY);
    struct termios settings;
    if (line < 0)
        fails(device ? device : "a pseudo-terminal");
    if (!device) {
        if (grantpt(line) != 0 || unlockpt(line) != 0)
            fails("a pseudo-terminal");
        device = ptsname(line);
        unlink(link);
        if (symlink(device, link) != 0)
            fails(link);
    }
    /* kept open: a pseudo-terminal ends where nobody has it open */
    const int other = open(device, O_RDWR | O_NOCTTY);
    if (other < 0 || tcgetattr(other, &settings) != 0)
        fails(device);
    cfmakeraw(&settings);
    cfsetspeed(&settings, B115200);
    if (tcsetattr(other, TCSANOW, &settings) != 0)
        fails(device);
    fcntl(line, F_SETFL, fcntl(line, F_GETFL) | O_NONBLOCK);
    return line;
}

static void typed(const char *text)
{
    static const char suits[] = "SHDC", ranks[] = "A23456789TJQK";
    uint8_t saw[SAW] = {SHOE};
    size_t length = 2;
    unsigned cards, cut_card;
    const char *rank = text[0] ? strchr(ranks, text[0]) : NULL, *suit = rank && text[1] ? strchr(suits, text[1]) : NULL;
    if (strcmp(text, "cut") == 0) {
        saw[1] = 1;
    } else if (strcmp(text, "empty") == 0) {
        saw[1] = 2;
    } else if (sscanf(text, "load %u %u", &cards, &cut_card) == 2 && cards <= UINT16_MAX && cut_card <= cards) {
        saw[1] = 3;
        length += put(saw + length, cards);
        length += put(saw + length, cut_card);
    } else if (strncmp(text, "raw ", 4) == 0) {
        for (length = 0; length < SAW && sscanf(text + 4 + 2 * length, "%2hhx", &saw[length]) == 1;)
            length++;
    } else if (strcmp(text, "??") == 0) {
        saw[length++] = 255;
    } else if (suit && text[2] == 0) {
        saw[length++] = (uint8_t)((suit - suits) * 13 + (rank - ranks));
    } else {
        fprintf(stderr, "no card, nor cut, empty or load CARDS CUT: %s\n", text);
        return;
    }
    if (!sees(saw, length))
        fprintf(stderr, "the ring is full: do not draw\n");
}

/* Takes what is typed; false at its end. */
static bool reads_lines(void)
{
    static char text[80];
    static size_t length;
    char more[256];
    const ssize_t count = read(0, more, sizeof more);
    for (ssize_t i = 0; i < count; i++) {
        if (more[i] != '\n') {
            text[length] = more[i];
            length += length + 1 < sizeof text;
            continue;
        }
        text[length] = 0;
        length = 0;
        if (text[0])
            typed(text);
    }
    return count > 0;
}

int main(int count, char **arguments)
{
    const char *port = NULL, *device = NULL;
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(arguments[i], "--port") == 0)
            port = arguments[i + 1];
        else if (strcmp(arguments[i], "--serial") == 0)
            device = arguments[i + 1];
        else if (strcmp(arguments[i], "--memory") == 0)
            memory_path = arguments[i + 1];
        else if (strcmp(arguments[i], "--code") == 0 && !(has_code = code_of(arguments[i + 1], code)))
            memory_path = NULL; /* no code: the usage says what one is */
    }
    if (!memory_path || !port == !device) {
        fprintf(stderr, "usage: shoe (--port LINK | --serial DEVICE) --memory FILE [--code 16-DIGITS]\n");
        return 2;
    }
    clock_gettime(CLOCK_MONOTONIC, &began);
    find_image();
    starts(recall());
    const int line = line_at(port, device);
    fprintf(stderr, "the shoe %s is at %s\n", serial, port ? port : device);
    for (;;) {
        says();
        struct pollfd waits[] = {{.fd = line, .events = POLLIN}, {.fd = 0, .events = POLLIN}};
        uint8_t bytes[512];
        waits[0].events |= out_length ? POLLOUT : 0;
        poll(waits, 2, 10);
        if (waits[0].revents & POLLIN)
            for (ssize_t i = 0, read_now = read(line, bytes, sizeof bytes); i < read_now; i++)
                hears(bytes[i]);
        if (out_length) {
            const ssize_t written = write(line, out, out_length);
            if (written > 0)
                memmove(out, out + written, out_length -= (size_t)written);
        }
        if (waits[1].revents && !reads_lines())
            return 0;
    }
}

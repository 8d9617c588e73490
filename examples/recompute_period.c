// Computes the period of an octal game anew, and shares no code with nim-analyser.
//
//     cc -O3 -march=native -o recompute_period examples/recompute_period.c
//     ./recompute_period CODE PERIOD PREPERIOD MASK
//     ./recompute_period 0.3564 125082 23267 55
//
// It computes the nim-values of 2 (preperiod + period) + t piles, where t is the largest number of stones that a move takes,
// and says whether the period holds for all of them, from exactly the preperiod on, and is the least. Then it holds for ever
// (Guy and Smith 1956). Values are below 256; memory: a byte a pile.
//
// The mask says what to look at first; each value is the true mex whatever it is. A value is common if it has an odd number
// of bits in common with the mask, and rare otherwise. Where nearly all values are common, a common option has a rare part:
// these options are marked, and the least common value without a mark is the mex if all smaller values are options. Pairs of
// piles are tried until that is seen; if they all are tried in vain, the least value that no pair gave is the mex.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 256, MOST_DIGITS = 64, MOST_RARES = 1 << 20 };

static int digit[MOST_DIGITS], most_taken;
static int64_t rare[MOST_RARES], rares;
// The number of the last heap, plus one, that has the value as an option.
static int64_t seen[VALUES];

static void stop(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(2);
}

static void read_code(const char *code) {
    int digits = 0;
    if (strncmp(code, "0.", 2) && strncmp(code, "4.", 2)) stop("a code begins with 0. or 4.");
    for (const char *c = code; *c; c++) {
        if (c == code + 1) continue;
        if (*c < '0' || *c > '7' || digits == MOST_DIGITS) stop("not an octal code");
        digit[digits++] = *c - '0';
    }
    most_taken = digits - 1;
}

static int is_rare(int value, int mask) { return !__builtin_parity(value & mask); }

static int nim_value(const uint8_t *g, int64_t n, int mask) {
    int64_t now = n + 1;
    for (int t = 0; t <= most_taken; t++) {
        if (digit[t] & 1 && n == t) seen[0] = now;
        if (digit[t] & 2 && n > t) seen[g[n - t]] = now;
        for (int64_t i = 0; digit[t] & 4 && i < rares && rare[i] < n - t; i++)
            if (rare[i] > 0) seen[g[rare[i]] ^ g[n - t - rare[i]]] = now;
    }
    int value = 0;
    while (value < VALUES && (is_rare(value, mask) || seen[value] == now)) value++;
    int missing = 0;
    for (int v = 0; v < value; v++) missing += seen[v] != now;
    for (int64_t part = 1; missing && 2 * part <= n; part++)
        for (int t = 0; t <= most_taken; t++)
            if (digit[t] & 4 && 2 * part <= n - t) {
                int option = g[part] ^ g[n - t - part];
                missing -= option < value && seen[option] != now;
                seen[option] = now;
            }
    if (missing)
        for (value = 0; value < VALUES && seen[value] == now;) value++;
    return value;
}

int main(int words, char **word) {
    if (words != 5) stop("usage: recompute_period CODE PERIOD PREPERIOD MASK");
    read_code(word[1]);
    int64_t period = strtoll(word[2], 0, 10), preperiod = strtoll(word[3], 0, 10), mask = strtoll(word[4], 0, 0);
    if (period < 1 || preperiod < 0 || period > 1LL << 40 || preperiod > 1LL << 40) stop("no period of so many piles");
    if (mask < 1 || mask >= VALUES) stop("a mask is a number from 1 to 255");
    int64_t piles = 2 * (preperiod + period) + most_taken + 1;
    uint8_t *g = malloc(piles);
    if (!g) stop("not enough memory");
    for (int64_t n = 0; n < piles; n++) {
        int value = nim_value(g, n, mask);
        if (value >= VALUES) stop("a value is beyond 255");
        g[n] = value;
        if (!is_rare(value, mask)) continue;
        if (rares == MOST_RARES) stop("too many values are rare by this mask");
        rare[rares++] = n;
    }

    int64_t from = piles - period;
    while (from > 0 && g[from - 1] == g[from - 1 + period]) from--;
    // A smaller period divides this one, and so does this one divided by a prime.
    int64_t least = period;
    for (int64_t rest = period, prime = 2; rest > 1; prime++) {
        if (prime * prime > rest) prime = rest;
        for (; rest % prime == 0; rest /= prime) {
            int64_t smaller = least / prime;
            if (!memcmp(g + from, g + from + smaller, piles - from - smaller)) least = smaller;
        }
    }
    int64_t largest = 0;
    for (int64_t n = 0; n < preperiod + period; n++)
        if (g[n] > g[largest]) largest = n;
    int right = from == preperiod && least == period;
    printf("%s: %s, g(n + %lld) = g(n) from n = %lld to %lld, least period %lld\n", word[1], right ? "right" : "false",
           (long long)period, (long long)from, (long long)(piles - period - 1), (long long)least);
    printf("largest value %d, first at pile %lld; %lld rare values, the last at pile %lld\n", g[largest], (long long)largest,
           (long long)rares, (long long)(rares ? rare[rares - 1] : -1));
    return !right;
}

// Conversions that happen after parsing: escapes and numbers.
#include "json_internal.h"

#include <string.h>

#if ORRERY_JSON_X86
#include <emmintrin.h>
#endif

/// Returns the length of the run at `bytes` without a backslash, and copies the run to `output` if it is not NULL. May
/// write other bytes after the run, but not beyond `output` + `length`.
static size_t copy_plain(const uint8_t *bytes, size_t length, uint8_t *output) {
    size_t p = 0;
#if ORRERY_JSON_X86
    for (; p + 16 <= length; p += 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(bytes + p));
        int found = _mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8('\\')));
        if (output) _mm_storeu_si128((__m128i *)(output + p), block);
        if (found) return p + (size_t)__builtin_ctz((unsigned)found);
    }
#endif
    for (; p < length && bytes[p] != '\\'; p++)
        if (output) output[p] = bytes[p];
    return p;
}

static int hexadecimal(uint8_t c) {
    if ((uint8_t)(c - '0') <= 9) return c - '0';
    c |= 0x20;
    return (uint8_t)(c - 'a') <= 5 ? c - 'a' + 10 : -1;
}

/// Reads the four digits of `\uXXXX` at `*p` and moves `*p` past them. Returns -1 if there are fewer than four.
static int32_t code_unit(const uint8_t *bytes, size_t length, size_t *p) {
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int digit = *p < length ? hexadecimal(bytes[*p]) : -1;
        if (digit < 0) return -1;
        value = value << 4 | digit;
        ++*p;
    }
    return value;
}

/// Reads the escape whose backslash is at `*p`, moves `*p` past it, and returns its character.
static uint32_t escape(const uint8_t *bytes, size_t length, size_t *p) {
    static const uint8_t simple[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                        ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    const uint32_t replacement = 0xFFFD;
    if (++*p == length) return replacement;
    uint8_t c = bytes[*p];
    if (simple[c]) {
        ++*p;
        return simple[c];
    }
    if (c != 'u') {
        // Skip the complete character, so that the rest is still UTF-8.
        do ++*p; while (*p < length && (bytes[*p] & 0xC0) == 0x80);
        return replacement;
    }
    ++*p;
    int32_t high = code_unit(bytes, length, p);
    if (high < 0) return replacement;
    if (high < 0xD800 || high > 0xDFFF) return (uint32_t)high;
    if (high > 0xDBFF || length - *p < 6 || bytes[*p] != '\\' || bytes[*p + 1] != 'u') return replacement;
    size_t behind = *p + 2;
    int32_t low = code_unit(bytes, length, &behind);
    if (low < 0xDC00 || low > 0xDFFF) return replacement;
    *p = behind;
    return 0x10000 + ((uint32_t)(high - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
}

static size_t encode(uint32_t c, uint8_t *output) {
    if (c < 0x80) {
        output[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        output[0] = (uint8_t)(0xC0 | c >> 6);
        output[1] = (uint8_t)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        output[0] = (uint8_t)(0xE0 | c >> 12);
        output[1] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
        output[2] = (uint8_t)(0x80 | (c & 0x3F));
        return 3;
    }
    output[0] = (uint8_t)(0xF0 | c >> 18);
    output[1] = (uint8_t)(0x80 | (c >> 12 & 0x3F));
    output[2] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
    output[3] = (uint8_t)(0x80 | (c & 0x3F));
    return 4;
}

// Only an invalid escape can become longer, from two bytes to three.
size_t orrery_json_unescaped_bound(size_t length) { return length + length / 2 + 2; }

size_t orrery_json_unescape(const uint8_t *bytes, size_t length, uint8_t *output) {
    uint8_t scratch[4];
    size_t p = 0, written = 0;
    for (;;) {
        size_t plain = copy_plain(bytes + p, length - p, output ? output + written : NULL);
        p += plain;
        written += plain;
        if (p == length) return written;
        // Escapes come in groups.
        do {
            uint32_t c = escape(bytes, length, &p);
            written += encode(c, output ? output + written : scratch);
        } while (p < length && bytes[p] == '\\');
    }
}

bool orrery_json_unescaped_equals(
    const uint8_t *bytes, size_t length, const uint8_t *text, size_t text_length) {
    size_t p = 0, matched = 0;
    while (p < length) {
        uint8_t character[4];
        size_t n = 1;
        if (bytes[p] == '\\') {
            n = encode(escape(bytes, length, &p), character);
        } else {
            character[0] = bytes[p++];
        }
        if (text_length - matched < n || memcmp(text + matched, character, n) != 0) return false;
        matched += n;
    }
    return matched == text_length;
}

bool orrery_json_unsigned(const uint8_t *bytes, size_t length, uint64_t *value) {
    if (length == 0) return false;
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t digit = (uint8_t)(bytes[i] - '0');
        if (digit > 9) return false;
        // 19 digits never overflow.
        if (ORRERY_JSON_UNLIKELY(i >= 19)) {
            if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) ||
                __builtin_add_overflow(sum, (uint64_t)digit, &sum))
                return false;
        } else {
            sum = sum * 10 + digit;
        }
    }
    *value = sum;
    return true;
}

bool orrery_json_signed(const uint8_t *bytes, size_t length, int64_t *value) {
    bool negative = length && bytes[0] == '-';
    uint64_t magnitude;
    if (!orrery_json_unsigned(bytes + negative, length - negative, &magnitude)) return false;
    if (magnitude > (uint64_t)INT64_MAX + negative) return false;
    *value = (int64_t)(negative ? 0 - magnitude : magnitude);
    return true;
}

// Source: Clinger, "How to Read Floating Point Numbers Accurately" (PLDI 1990). Decimal significands up to 2^53 and
// powers of ten up to 10^22 are exact doubles, so a single operation rounds only once.
bool orrery_json_double(const uint8_t *bytes, size_t length, double *value) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    size_t p = 0;
    bool negative = length && bytes[0] == '-';
    p += negative;
    uint64_t significand = 0;
    int digits = 0;
    int64_t exponent = 0;
    for (; p < length && (uint8_t)(bytes[p] - '0') <= 9; p++) {
        significand = significand * 10 + (uint64_t)(bytes[p] - '0');
        digits += significand != 0;
        if (digits > 18) return false;
    }
    if (p < length && bytes[p] == '.') {
        for (p++; p < length && (uint8_t)(bytes[p] - '0') <= 9; p++) {
            significand = significand * 10 + (uint64_t)(bytes[p] - '0');
            digits += significand != 0;
            exponent--;
            if (digits > 18) return false;
        }
    }
    if (p < length && (bytes[p] | 0x20) == 'e') {
        p++;
        bool below = p < length && bytes[p] == '-';
        if (p < length && (bytes[p] == '-' || bytes[p] == '+')) p++;
        int64_t written = 0;
        for (; p < length && (uint8_t)(bytes[p] - '0') <= 9; p++) {
            if (written > 10000) return false;
            written = written * 10 + (bytes[p] - '0');
        }
        exponent += below ? -written : written;
    }
    if (p != length || significand > (uint64_t)1 << 53) return false;
    if (significand == 0) {
        *value = negative ? -0.0 : 0.0;
        return true;
    }
    if (exponent < -22 || exponent > 22) return false;
    double magnitude = (double)significand;
    magnitude = exponent < 0 ? magnitude / powers[-exponent] : magnitude * powers[exponent];
    *value = negative ? -magnitude : magnitude;
    return true;
}

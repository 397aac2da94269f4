// Finds the end of records without parsing them.
#include "json_stage1.h"

#if ORRERY_JSON_X86
#include <immintrin.h>

#include "json_prefix_xor.h"
#endif

/// Processes one byte. Returns true if it closes the container. A backslash outside a string also escapes a quote: such
/// text is not JSON, but its end must not depend on how the input is divided into pieces.
static inline bool follow(orrery_json_scan *state, uint8_t c) {
    bool escaped = state->escaped;
    state->escaped = c == '\\' && !escaped;
    if (c == '"') {
        if (!escaped) state->quoted = !state->quoted;
    } else if (!state->quoted) {
        if (c == '{' || c == '[') state->depth++;
        if (c == '}' || c == ']') return --state->depth <= 0;
    }
    return false;
}

#if ORRERY_JSON_X86

/// Processes complete blocks of 64 bytes until the container may end in a block. Returns the offset of the rest.
__attribute__((target("avx2,pclmul,bmi,popcnt"))) static size_t follow_blocks(
    orrery_json_scan *scan, const uint8_t *bytes, size_t length) {
    const __m256i backslash = _mm256_set1_epi8('\\'), quote = _mm256_set1_epi8('"'), bit = _mm256_set1_epi8(0x20);
    const __m256i opening = _mm256_set1_epi8('{'), closing = _mm256_set1_epi8('}');
    uint64_t in_string = scan->quoted ? ~(uint64_t)0 : 0;
    uint64_t escape = scan->escaped;
    int64_t depth = scan->depth;
    size_t p = 0;
    for (; length - p >= 64; p += 64) {
        __m256i low = _mm256_loadu_si256((const __m256i *)(bytes + p));
        __m256i high = _mm256_loadu_si256((const __m256i *)(bytes + p + 32));
#define EQUAL(low, high, what)                                      \
    ((uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, what)) | \
     (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, what)) << 32)
        // { and [ differ only in one bit, and so do } and ].
        __m256i low_brackets = _mm256_or_si256(low, bit), high_brackets = _mm256_or_si256(high, bit);
        uint64_t backslashes = EQUAL(low, high, backslash);
        uint64_t escape_before = escape;
        uint64_t escaped = escape;
        if (backslashes | escape) escaped = orrery_json_escaped(backslashes, &escape);
        uint64_t inside = orrery_json_prefix_xor(EQUAL(low, high, quote) & ~escaped) ^ in_string;
        uint64_t opens = EQUAL(low_brackets, high_brackets, opening) & ~inside;
        uint64_t closes = EQUAL(low_brackets, high_brackets, closing) & ~inside;
#undef EQUAL
        if (__builtin_popcountll(closes) >= depth) {
            escape = escape_before;
            break;
        }
        depth += __builtin_popcountll(opens) - __builtin_popcountll(closes);
        in_string = (uint64_t)((int64_t)inside >> 63);
    }
    *scan = (orrery_json_scan){.depth = depth, .quoted = in_string != 0, .escaped = escape != 0};
    return p;
}

#endif

size_t orrery_json_scan_container(orrery_json_scan *scan, const uint8_t *bytes, size_t length) {
    orrery_json_scan state = *scan;
    size_t p = 0;
    while (p < length) {
        size_t stop = length;
#if ORRERY_JSON_X86
        // The container may end in the block at which follow_blocks stops.
        if (length - p >= 64 && orrery_json_best_variant() != ORRERY_JSON_SCALAR) {
            p += follow_blocks(&state, bytes + p, length - p);
            stop = length - p >= 64 ? p + 64 : length;
        }
#endif
        for (; p < stop; p++) {
            if (follow(&state, bytes[p])) {
                *scan = state;
                return p + 1;
            }
        }
    }
    *scan = state;
    return length + 1;
}

size_t orrery_json_count_lines(const uint8_t *bytes, size_t length) {
    size_t count = 0, p = 0;
#if ORRERY_JSON_X86
    for (; p + 16 <= length; p += 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(bytes + p));
        count += (size_t)__builtin_popcount((unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8('\n'))));
    }
#endif
    for (; p < length; p++) count += bytes[p] == '\n';
    return count;
}

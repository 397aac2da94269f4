// The first stage with AVX2 and carry-less multiplication: two registers per block.
#include "json_stage1.h"

#if ORRERY_JSON_X86

#include <immintrin.h>
#include <string.h>

#include "json_prefix_xor.h"
#include "json_utf8.h"

#define FAST __attribute__((target("avx2,pclmul,bmi,popcnt")))
#define REPEAT(...) _mm256_broadcastsi128_si256(_mm_setr_epi8(__VA_ARGS__))

FAST static inline uint64_t mask(__m256i low, __m256i high) {
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

FAST static inline uint64_t equal(__m256i low, __m256i high, __m256i low_to, __m256i high_to) {
    return mask(_mm256_cmpeq_epi8(low, low_to), _mm256_cmpeq_epi8(high, high_to));
}

/// Returns the UTF-8 errors of the 32 bytes at `p`, which depend on the three preceding bytes.
FAST static inline __m256i utf8_errors(const uint8_t *p) {
    const __m256i nibble = _mm256_set1_epi8(0x0F);
    __m256i now = _mm256_loadu_si256((const __m256i *)p);
    __m256i before = _mm256_loadu_si256((const __m256i *)(p - 1));
    __m256i pairs = _mm256_and_si256(
        _mm256_and_si256(
            _mm256_shuffle_epi8(REPEAT(ORRERY_JSON_UTF8_FIRST_HIGH),
                                _mm256_and_si256(_mm256_srli_epi16(before, 4), nibble)),
            _mm256_shuffle_epi8(REPEAT(ORRERY_JSON_UTF8_FIRST_LOW), _mm256_and_si256(before, nibble))),
        _mm256_shuffle_epi8(REPEAT(ORRERY_JSON_UTF8_SECOND_HIGH),
                            _mm256_and_si256(_mm256_srli_epi16(now, 4), nibble)));
    // The third byte of a sequence of three or four, and the fourth byte of four, must follow another continuation.
    __m256i third = _mm256_subs_epu8(_mm256_loadu_si256((const __m256i *)(p - 2)), _mm256_set1_epi8(0xE0 - 0x80));
    __m256i fourth = _mm256_subs_epu8(_mm256_loadu_si256((const __m256i *)(p - 3)), _mm256_set1_epi8(0xF0 - 0x80));
    __m256i continues = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(continues, pairs);
}

/// Returns whether the 64 bytes at `p` are invalid, which depends on the three preceding bytes.
FAST static bool not_utf8(const uint8_t *p) {
    __m256i wrong = _mm256_or_si256(utf8_errors(p), utf8_errors(p + 32));
    return !_mm256_testz_si256(wrong, wrong);
}

FAST size_t orrery_json_index_avx2(orrery_json_stage1 *stage, uint32_t *indexes) {
    const __m256i spaces = REPEAT(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0);
    const __m256i structures = REPEAT(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0);
    const __m256i backslash = _mm256_set1_epi8('\\'), quote = _mm256_set1_epi8('"');
    const __m256i below_space = _mm256_set1_epi8(0x1F), lower = _mm256_set1_epi8(0x20);
    orrery_json_stage1 state = *stage;
    uint32_t *out = indexes;
    size_t stop = state.position + ORRERY_JSON_WINDOW;
    if (stop > state.length) stop = state.length;

    for (; state.position < stop; state.position += 64) {
        size_t left = state.length - state.position;
        const uint8_t *p = state.bytes + state.position;
        uint8_t copy[3 + 64];
        // Do not read bytes before the first block or after the last one.
        if (ORRERY_JSON_UNLIKELY(left < 64 || state.position < 3)) {
            memset(copy, ' ', sizeof copy);
            if (state.position >= 3) memcpy(copy, p - 3, 3);
            memcpy(copy + 3, p, left < 64 ? left : 64);
            p = copy + 3;
        }
        __m256i low = _mm256_loadu_si256((const __m256i *)p);
        __m256i high = _mm256_loadu_si256((const __m256i *)(p + 32));
        bool not_ascii = _mm256_movemask_epi8(_mm256_or_si256(low, high)) != 0;
        if (ORRERY_JSON_UNLIKELY(not_ascii || state.not_ascii)) {
            state.wrong |= not_utf8(p);
            state.not_ascii = not_ascii;
        }
        orrery_json_block block = {
            .backslash = equal(low, high, backslash, backslash),
            .quote = equal(low, high, quote, quote),
            .control = equal(_mm256_max_epu8(low, below_space), _mm256_max_epu8(high, below_space), below_space,
                             below_space),
            .structure = equal(_mm256_or_si256(low, lower), _mm256_or_si256(high, lower),
                               _mm256_shuffle_epi8(structures, low), _mm256_shuffle_epi8(structures, high)),
            .space = equal(low, high, _mm256_shuffle_epi8(spaces, low), _mm256_shuffle_epi8(spaces, high)),
        };
        orrery_json_found found;
        ORRERY_JSON_CLASSIFY(&state, block, orrery_json_prefix_xor, found);
        uint64_t positions = found.positions;
        const uint32_t base = (uint32_t)state.position;
        size_t n = (size_t)__builtin_popcountll(positions);
        // Always write eight positions at a time, even if there are fewer: this is cheaper than a branch per position.
        for (size_t i = 0; i < n; i += 8) {
            for (size_t j = 0; j < 8; j++) {
                out[i + j] = base + (uint32_t)__builtin_ctzll(positions | (uint64_t)1 << 63);
                positions &= positions - 1;
            }
        }
        for (uint64_t escaped = found.escaped; escaped; escaped &= escaped - 1) {
            uint64_t before = (escaped & -escaped) - 1;
            out[__builtin_popcountll(found.positions & before)] |= ORRERY_JSON_ESCAPED;
        }
        out += n;
    }
    // An incomplete sequence at the end of the last block is detected only with the following block, so check spaces.
    if (state.position == state.length && state.not_ascii) {
        uint8_t copy[3 + 64];
        memset(copy, ' ', sizeof copy);
        for (size_t i = 0; i < 3 && i < state.length; i++) copy[2 - i] = state.bytes[state.length - 1 - i];
        state.wrong |= not_utf8(copy + 3);
    }
    *stage = state;
    return (size_t)(out - indexes);
}

#endif

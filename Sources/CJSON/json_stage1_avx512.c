// The first stage with AVX-512: one register per block, and positions written with compression instructions.
#include "json_stage1.h"

#if ORRERY_JSON_X86

#include <immintrin.h>
#include <string.h>

#include "json_prefix_xor.h"
#include "json_utf8.h"

#define FAST __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,pclmul,bmi,bmi2,popcnt,lzcnt")))
#define REPEAT(...) _mm512_broadcast_i32x4(_mm_setr_epi8(__VA_ARGS__))

/// Returns whether the 64 bytes at `p` are invalid, which depends on the three preceding bytes.
FAST static bool not_utf8(const uint8_t *p) {
    const __m512i high_nibble = _mm512_set1_epi8(0x0F);
    __m512i now = _mm512_loadu_si512(p);
    __m512i before = _mm512_loadu_si512(p - 1);
    __m512i pairs = _mm512_and_si512(
        _mm512_and_si512(
            _mm512_shuffle_epi8(REPEAT(ORRERY_JSON_UTF8_FIRST_HIGH),
                                _mm512_and_si512(_mm512_srli_epi16(before, 4), high_nibble)),
            _mm512_shuffle_epi8(REPEAT(ORRERY_JSON_UTF8_FIRST_LOW), _mm512_and_si512(before, high_nibble))),
        _mm512_shuffle_epi8(REPEAT(ORRERY_JSON_UTF8_SECOND_HIGH),
                            _mm512_and_si512(_mm512_srli_epi16(now, 4), high_nibble)));
    // The third byte of a sequence of three or four, and the fourth byte of four, must follow another continuation.
    __m512i third = _mm512_subs_epu8(_mm512_loadu_si512(p - 2), _mm512_set1_epi8((char)(0xE0 - 0x80)));
    __m512i fourth = _mm512_subs_epu8(_mm512_loadu_si512(p - 3), _mm512_set1_epi8((char)(0xF0 - 0x80)));
    __m512i continues = _mm512_and_si512(_mm512_or_si512(third, fourth), _mm512_set1_epi8((char)0x80));
    __m512i wrong = _mm512_xor_si512(continues, pairs);
    return _mm512_test_epi8_mask(wrong, wrong) != 0;
}

FAST size_t orrery_json_index_avx512(orrery_json_stage1 *stage, uint32_t *indexes) {
    const __m512i spaces = REPEAT(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0);
    const __m512i structures = REPEAT(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', '{', ',', '}', 0, 0);
    const __m512i identity = _mm512_set_epi8(
        63, 62, 61, 60, 59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49, 48, 47, 46, 45, 44, 43, 42, 41, 40, 39, 38, 37, 36,
        35, 34, 33, 32, 31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7,
        6, 5, 4, 3, 2, 1, 0);
    orrery_json_stage1 state = *stage;
    uint32_t *out = indexes;
    const size_t start = state.position;
    size_t stop = start + ORRERY_JSON_WINDOW;
    if (stop > state.length) stop = state.length;

    for (; state.position < stop; state.position += 64) {
        size_t left = state.length - state.position;
        const uint8_t *p = state.bytes + state.position;
        __m512i bytes = ORRERY_JSON_LIKELY(left >= 64)
                            ? _mm512_loadu_si512(p)
                            : _mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), ((uint64_t)1 << left) - 1, p);
        uint64_t not_ascii = _mm512_movepi8_mask(bytes);
        if (ORRERY_JSON_UNLIKELY(not_ascii || state.not_ascii)) {
            // Do not read bytes before the first block or after the last one.
            uint8_t copy[64 + 3];
            const uint8_t *checked = p;
            if (left < 64 || state.position < 3) {
                memset(copy, ' ', 3);
                if (state.position >= 3) memcpy(copy, p - 3, 3);
                _mm512_storeu_si512(copy + 3, bytes);
                checked = copy + 3;
            }
            state.wrong |= not_utf8(checked);
            state.not_ascii = not_ascii != 0;
        }
        orrery_json_block block = {
            .backslash = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('\\')),
            .quote = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8('"')),
            .control = _mm512_cmplt_epu8_mask(bytes, _mm512_set1_epi8(0x20)),
            .structure = _mm512_cmpeq_epi8_mask(_mm512_or_si512(bytes, _mm512_set1_epi8(0x20)),
                                                _mm512_shuffle_epi8(structures, bytes)),
            .space = _mm512_cmpeq_epi8_mask(bytes, _mm512_shuffle_epi8(spaces, bytes)),
        };
        orrery_json_found found;
        ORRERY_JSON_CLASSIFY(&state, block, orrery_json_prefix_xor, found);
        // The top bit of each compressed byte becomes the top bit of the index.
        __m512i places = _mm512_mask_add_epi8(identity, found.escaped, identity, _mm512_set1_epi8((char)0x80));
        places = _mm512_maskz_compress_epi8(found.positions, places);
        const __m512i base = _mm512_set1_epi32((int)(uint32_t)state.position);
        size_t n = (size_t)__builtin_popcountll(found.positions);
        for (size_t i = 0; i < n; i += 16) {
            __m512i wide = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places));
            __m512i place = _mm512_add_epi32(_mm512_and_si512(wide, _mm512_set1_epi32(63)), base);
            __m512i flag = _mm512_slli_epi32(_mm512_srli_epi32(wide, 7), 31);
            _mm512_storeu_si512(out + i, _mm512_or_si512(place, flag));
            places = _mm512_alignr_epi64(places, places, 2);
        }
        out += n;
    }
    // An incomplete sequence at the end of the last block is detected only with the following block, so check spaces.
    if (state.position == state.length && state.not_ascii) {
        uint8_t copy[64 + 3];
        memset(copy, ' ', sizeof copy);
        for (size_t i = 0; i < 3 && i < state.length; i++) copy[2 - i] = state.bytes[state.length - 1 - i];
        state.wrong |= not_utf8(copy + 3);
    }
    *stage = state;
    return (size_t)(out - indexes);
}

#endif

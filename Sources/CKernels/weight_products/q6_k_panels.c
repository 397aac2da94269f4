// Q6_K: 256 weights of d · s · (q - 32) with a signed byte s for each 16 of them; q is 4 bits and 2 bits apart.
//
// For each half of a block, of 64 bytes of low bits and 32 of high ones: runs 0 and 1 are the low halves of the first
// and the second 32 bytes, runs 2 and 3 their high halves; run j has bits 2j and 2j + 1 of the high bytes.
#include "panel_kernels.h"

#include "../instruction_sets.h"

#include <string.h>

#if defined(__x86_64__)
#define HALVES 1
#define MINIMA 0
#define ZERO 32
#define UNPACK_COLUMNS 256

ORRERY_BEGIN_AVX512_VNNI
#include "byte_panels.h"
#include "half_scales.h"

static void unpack_scales(const uint8_t *blocks, long stride, weight_panel *panel, long run, int group) {
    __m512 d = half_scales(blocks + 208, stride);
    __m512i words[4];
    transpose_quarters(blocks + 192, stride, words);
    ORRERY_UNROLL for (int i = 0; i < 16; i++) {
        __m512i at_top = _mm512_slli_epi32(words[i / 4], 24 - 8 * (unsigned)(i % 4));
        __m512 scale = _mm512_cvtepi32_ps(_mm512_srai_epi32(at_top, 24));
        _mm512_store_ps(panel->scale[i % 2][run + i / 2][group], _mm512_mul_ps(d, scale));
    }
}

static void unpack(
    const orrery_weight_product *p, long row, const uint8_t *blocks, long stride, weight_panel *panel, long run,
    int group) {
    (void)p;
    (void)row;
    const __m512i nibble = _mm512_set1_epi8(15), two_bits = _mm512_set1_epi8(0x30);
    unpack_scales(blocks, stride, panel, run, group);
    for (int half = 0; half < 2; half++, run += 4) {
        ORRERY_UNROLL for (int quarter = 0; quarter < 2; quarter++) {
            __m512i first[4], second[4], high[4];
            transpose_quarters(blocks + 64 * half + 16 * quarter, stride, first);
            transpose_quarters(blocks + 64 * half + 32 + 16 * quarter, stride, second);
            transpose_quarters(blocks + 128 + 32 * half + 16 * quarter, stride, high);
            ORRERY_UNROLL for (int s = 0; s < 4; s++) {
                int step = 4 * quarter + s;
                __m512i low[4] = {
                    _mm512_and_si512(first[s], nibble),
                    _mm512_and_si512(second[s], nibble),
                    _mm512_and_si512(_mm512_srli_epi16(first[s], 4), nibble),
                    _mm512_and_si512(_mm512_srli_epi16(second[s], 4), nibble),
                };
                __m512i bits[4] = {
                    _mm512_slli_epi16(high[s], 4),
                    _mm512_slli_epi16(high[s], 2),
                    high[s],
                    _mm512_srli_epi16(high[s], 2),
                };
                ORRERY_UNROLL for (int j = 0; j < 4; j++) {
                    __m512i code = _mm512_or_si512(low[j], _mm512_and_si512(bits[j], two_bits));
                    _mm512_store_si512(panel->codes[run + j][step][group], code);
                }
            }
        }
    }
}

ORRERY_END

const orrery_panel_kernel orrery_q6_k_panels = {.panels = &layout};
#endif

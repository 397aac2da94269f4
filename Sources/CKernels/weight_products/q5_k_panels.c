// Q5_K: Q4_K with a fifth bit: bit j of byte l of `high` belongs to weight l of run j.
#include "panel_kernels.h"

#include "../instruction_sets.h"

#include <string.h>

#if defined(__x86_64__)
#define HALVES 0
#define MINIMA 1
#define ZERO 0
#define UNPACK_COLUMNS 256

ORRERY_BEGIN_AVX512_VNNI
#include "byte_panels.h"
#include "k_scales.h"

static void unpack(
    const orrery_weight_product *p, long row, const uint8_t *blocks, long stride, weight_panel *panel, long run,
    int group) {
    (void)p;
    (void)row;
    const __m512i nibble = _mm512_set1_epi8(15), fifth = _mm512_set1_epi8(16);
    __m512 scale[8], minimum[8];
    k_scales(blocks, stride, scale, minimum);
    ORRERY_UNROLL for (int j = 0; j < 8; j++) {
        _mm512_store_ps(panel->scale[0][run + j][group], scale[j]);
        _mm512_store_ps(panel->minimum[run + j][group], minimum[j]);
    }
    __m512i high[8]; // the fifth bits of runs 0, 1, ... at bit 4, 5, ... of their bytes, turned on as runs go by
    transpose_quarters(blocks + 16, stride, high);
    transpose_quarters(blocks + 32, stride, high + 4);
    ORRERY_UNROLL for (int s = 0; s < 8; s++) high[s] = _mm512_rol_epi32(high[s], 4);
    for (int pair = 0; pair < 4; pair++) {
        ORRERY_UNROLL for (int half = 0; half < 2; half++) {
            __m512i words[4];
            transpose_quarters(blocks + 48 + 32 * pair + 16 * half, stride, words);
            ORRERY_UNROLL for (int s = 0; s < 4; s++) {
                int step = 4 * half + s;
                __m512i low = _mm512_and_si512(words[s], nibble);
                __m512i upper = _mm512_and_si512(_mm512_srli_epi16(words[s], 4), nibble);
                __m512i bit = _mm512_and_si512(high[step], fifth);
                __m512i next_bit = _mm512_and_si512(_mm512_ror_epi32(high[step], 1), fifth);
                _mm512_store_si512(panel->codes[run + 2 * pair][step][group], _mm512_or_si512(low, bit));
                _mm512_store_si512(panel->codes[run + 2 * pair + 1][step][group], _mm512_or_si512(upper, next_bit));
                high[step] = _mm512_ror_epi32(high[step], 2);
            }
        }
    }
}

ORRERY_END

const orrery_panel_kernel orrery_q5_k_panels = {.panels = &layout};
#endif

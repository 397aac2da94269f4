// Q4_K: 256 weights of d · S · q - dmin · M. Of 32 bytes the low halves are one run, the high halves the next.
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
    const __m512i nibble = _mm512_set1_epi8(15);
    __m512 scale[8], minimum[8];
    k_scales(blocks, stride, scale, minimum);
    ORRERY_UNROLL for (int j = 0; j < 8; j++) {
        _mm512_store_ps(panel->scale[0][run + j][group], scale[j]);
        _mm512_store_ps(panel->minimum[run + j][group], minimum[j]);
    }
    for (int pair = 0; pair < 4; pair++) {
        ORRERY_UNROLL for (int half = 0; half < 2; half++) {
            __m512i words[4];
            transpose_quarters(blocks + 16 + 32 * pair + 16 * half, stride, words);
            ORRERY_UNROLL for (int s = 0; s < 4; s++) {
                __m512i high = _mm512_srli_epi16(words[s], 4);
                int step = 4 * half + s;
                _mm512_store_si512(panel->codes[run + 2 * pair][step][group], _mm512_and_si512(words[s], nibble));
                _mm512_store_si512(panel->codes[run + 2 * pair + 1][step][group], _mm512_and_si512(high, nibble));
            }
        }
    }
}

ORRERY_END

const orrery_panel_kernel orrery_q4_k_panels = {.panels = &layout};
#endif

// Q8_0: a float16 scale and 32 signed bytes. The sign bit is turned over: q + 128 is unsigned.
#include "panel_kernels.h"

#include "../instruction_sets.h"

#include <string.h>

#if defined(__x86_64__)
#define HALVES 0
#define MINIMA 0
#define ZERO 128
#define UNPACK_COLUMNS 32

ORRERY_BEGIN_AVX512_VNNI
#include "byte_panels.h"
#include "half_scales.h"

static void unpack(
    const orrery_weight_product *p, long row, const uint8_t *blocks, long stride, weight_panel *panel, long run,
    int group) {
    (void)p;
    (void)row;
    const __m512i sign = _mm512_set1_epi8(-128);
    ORRERY_UNROLL for (int half = 0; half < 2; half++) {
        __m512i words[4];
        transpose_quarters(blocks + 2 + 16 * half, stride, words);
        ORRERY_UNROLL for (int s = 0; s < 4; s++) {
            _mm512_store_si512(panel->codes[run][4 * half + s][group], _mm512_xor_si512(words[s], sign));
        }
    }
    _mm512_store_ps(panel->scale[0][run][group], half_scales(blocks, stride));
}

ORRERY_END

const orrery_panel_kernel orrery_q8_0_panels = {.panels = &layout};
#endif

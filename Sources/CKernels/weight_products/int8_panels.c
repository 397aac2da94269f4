// INT8 with a scale a row that lies apart: weight = q · scale / 127, by the reciprocal. The sign bit is turned over, as
// in Q8_0.
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

static void unpack(
    const orrery_weight_product *p, long row, const uint8_t *blocks, long stride, weight_panel *panel, long run,
    int group) {
    const __m512i sign = _mm512_set1_epi8(-128);
    ORRERY_UNROLL for (int half = 0; half < 2; half++) {
        __m512i words[4];
        transpose_quarters(blocks + 16 * half, stride, words);
        ORRERY_UNROLL for (int s = 0; s < 4; s++) {
            _mm512_store_si512(panel->codes[run][4 * half + s][group], _mm512_xor_si512(words[s], sign));
        }
    }
    long left = p->rows - row;
    __m512 scales = _mm512_maskz_loadu_ps((__mmask16)(left >= 16 ? 0xffff : (1u << left) - 1), p->scales + row);
    _mm512_store_ps(panel->scale[0][run][group], _mm512_mul_ps(scales, _mm512_set1_ps(0.007874015718698502f)));
}

ORRERY_END

const orrery_panel_kernel orrery_int8_panels = {.panels = &layout};
#endif

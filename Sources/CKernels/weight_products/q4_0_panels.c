// Q4_0: a float16 scale and 16 bytes, of which the low halves are weights 0 to 15 and the high ones 16 to 31, plus 8.
#include "panel_kernels.h"

#include "../instruction_sets.h"

#include <string.h>

#if defined(__x86_64__)
#define HALVES 0
#define MINIMA 0
#define ZERO 8
#define UNPACK_COLUMNS 32

ORRERY_BEGIN_AVX512_VNNI
#include "byte_panels.h"
#include "half_scales.h"

static void unpack(
    const orrery_weight_product *p, long row, const uint8_t *blocks, long stride, weight_panel *panel, long run,
    int group) {
    (void)p;
    (void)row;
    const __m512i nibble = _mm512_set1_epi8(15);
    __m512i words[4];
    transpose_quarters(blocks + 2, stride, words);
    ORRERY_UNROLL for (int s = 0; s < 4; s++) {
        __m512i high = _mm512_srli_epi16(words[s], 4);
        _mm512_store_si512(panel->codes[run][s][group], _mm512_and_si512(words[s], nibble));
        _mm512_store_si512(panel->codes[run][4 + s][group], _mm512_and_si512(high, nibble));
    }
    _mm512_store_ps(panel->scale[0][run][group], half_scales(blocks, stride));
}

ORRERY_END

const orrery_panel_kernel orrery_q4_0_panels = {.panels = &layout};
#endif

// bfloat16 as f32 in 512-bit registers: widened while packing, multiplied by vfmadd231ps, a tile of 6 x 64 sums.
//
// For processors without vdpbf16ps. Subnormal numbers keep their value, and a sum rounds once a product.
#include "dot_kernels.h"
#include "../instruction_sets.h"

#if defined(__x86_64__)
#define ELEMENT uint16_t
#define DEPTH 1
#define SUM float
#define LANES 16
#define ROWS 6
#define VECTORS 4
#define LOAD_WORDS(from, left) widened((__mmask16)(0xffff >> (16 - (left))), from)
#define MULTIPLY_ADD(sum, left, right) _mm512_fmadd_ps((__m512)(left), (__m512)(right), sum)

ORRERY_BEGIN_AVX512

ORRERY_INLINE __m512i widened(__mmask16 inside, const uint16_t *from) {
    return _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(inside, from)), 16);
}

#include "words_avx512.h"
#include "dot_tile.h"

static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    const uint16_t *corner = b;
    for (long p = 0; p < k; p++) {
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            long left = columns - 16 * v;
            __mmask16 inside = left >= 16 ? 0xffff : left > 0 ? (__mmask16)((1 << left) - 1) : 0;
            _mm512_storeu_si512(panel + 16 * v, widened(inside, corner + p * stride + 16 * v));
        }
        panel += COLUMNS;
    }
}

ORRERY_END

const orrery_dot_kernel orrery_bf16_avx512 = {
    .rows = ROWS, .columns = COLUMNS, .depth = DEPTH, .element_bytes = 2,
    .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

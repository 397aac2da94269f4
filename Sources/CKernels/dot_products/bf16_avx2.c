// bfloat16 as f32 in 256-bit registers: the packing of the portable path, a tile of 6 x 16 sums by fused multiply-add.
#include "dot_kernels.h"
#include "../instruction_sets.h"

#if defined(__x86_64__)
#define SUM float
#define LANES 8
#define ROWS 6
#define VECTORS 2
#define MULTIPLY_ADD(sum, left, right) _mm256_fmadd_ps((__m256)(left), (__m256)(right), sum)

ORRERY_BEGIN_AVX2

#include "dot_tile.h"

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    orrery_widen_panel_a(a, stride, rows, k, ROWS, panel);
}

static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    orrery_widen_panel_b(b, stride, k, columns, COLUMNS, panel);
}

ORRERY_END

const orrery_dot_kernel orrery_bf16_avx2 = {
    .rows = ROWS, .columns = COLUMNS, .depth = 1, .element_bytes = 2, .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

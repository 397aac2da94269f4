// int8 as pairs of int16 in 256-bit registers: the packing of the portable path, a tile of 6 x 16 sums by vpmaddwd.
//
// vpmaddubsw would take bytes at twice the rate, but its pairs saturate at 32,767: two products of 255 · 127 pass that.
#include "dot_kernels.h"
#include "../instruction_sets.h"

#if defined(__x86_64__)
#define SUM uint32_t
#define LANES 8
#define ROWS 6
#define VECTORS 2
#define MULTIPLY_ADD(sum, left, right) ((sum) + (sums)_mm256_madd_epi16((__m256i)(left), (__m256i)(right)))

ORRERY_BEGIN_AVX2

#include "dot_tile.h"

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    orrery_pair_panel_a(a, stride, rows, k, ROWS, panel);
}

static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    orrery_pair_panel_b(b, stride, k, columns, COLUMNS, panel);
}

ORRERY_END

const orrery_dot_kernel orrery_int8_avx2 = {
    .rows = ROWS, .columns = COLUMNS, .depth = 2, .element_bytes = 1, .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

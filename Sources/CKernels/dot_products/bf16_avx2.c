// bfloat16 as f32 in 256-bit registers: the packing of the portable path, a tile of 6 x 16 sums by fused multiply-add.
#include "dot_kernels.h"
#include "../instruction_sets.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2

enum { ROWS = 6, COLUMNS = 16 };

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    orrery_widen_panel_a(a, stride, rows, k, ROWS, panel);
}

static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    orrery_widen_panel_b(b, stride, k, columns, COLUMNS, panel);
}

ORRERY_INLINE void tile_of(
    const int rows, long words, const float *a, const float *b, float *c, long stride, int accumulate) {
    __m256 sum[2 * ROWS];
    ORRERY_UNROLL for (int i = 0; i < 2 * rows; i++) sum[i] = _mm256_setzero_ps();
    for (long p = 0; p < words; p++) {
        __m256 near = _mm256_loadu_ps(b), far = _mm256_loadu_ps(b + 8);
        ORRERY_UNROLL for (int i = 0; i < rows; i++) {
            __m256 left = _mm256_broadcast_ss(a + i);
            sum[2 * i] = _mm256_fmadd_ps(left, near, sum[2 * i]);
            sum[2 * i + 1] = _mm256_fmadd_ps(left, far, sum[2 * i + 1]);
        }
        a += ROWS;
        b += COLUMNS;
    }
    ORRERY_UNROLL for (int i = 0; i < 2 * rows; i++) {
        float *place = c + i / 2 * stride + i % 2 * 8;
        __m256 before = accumulate ? _mm256_loadu_ps(place) : _mm256_setzero_ps();
        _mm256_storeu_ps(place, _mm256_add_ps(before, sum[i]));
    }
}

static void tile(int rows, long words, const uint32_t *a, const uint32_t *b, void *c, long stride, int accumulate) {
    const float *left = (const float *)a, *right = (const float *)b;
    switch (rows) {
    case 1: tile_of(1, words, left, right, c, stride, accumulate); break;
    case 2: tile_of(2, words, left, right, c, stride, accumulate); break;
    case 3: tile_of(3, words, left, right, c, stride, accumulate); break;
    case 4: tile_of(4, words, left, right, c, stride, accumulate); break;
    case 5: tile_of(5, words, left, right, c, stride, accumulate); break;
    default: tile_of(ROWS, words, left, right, c, stride, accumulate);
    }
}

ORRERY_END

const orrery_dot_kernel orrery_bf16_avx2 = {
    .rows = ROWS, .columns = COLUMNS, .depth = 1, .element_bytes = 2, .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

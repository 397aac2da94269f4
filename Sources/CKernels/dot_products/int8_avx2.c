// int8 as pairs of int16 in 256-bit registers: the packing of the portable path, a tile of 6 x 16 sums by vpmaddwd.
//
// vpmaddubsw would take bytes at twice the rate, but its pairs saturate at 32,767: two products of 255 · 127 pass that.
#include "dot_kernels.h"
#include "../instruction_sets.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2

enum { ROWS = 6, COLUMNS = 16 };

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    orrery_pair_panel_a(a, stride, rows, k, ROWS, panel);
}

static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    orrery_pair_panel_b(b, stride, k, columns, COLUMNS, panel);
}

ORRERY_INLINE void tile_of(
    const int rows, long words, const uint32_t *a, const uint32_t *b, uint32_t *c, long stride, int accumulate) {
    __m256i sum[2 * ROWS];
    ORRERY_UNROLL for (int i = 0; i < 2 * rows; i++) sum[i] = _mm256_setzero_si256();
    for (long p = 0; p < words; p++) {
        __m256i near = _mm256_loadu_si256((const __m256i *)b), far = _mm256_loadu_si256((const __m256i *)(b + 8));
        ORRERY_UNROLL for (int i = 0; i < rows; i++) {
            __m256i left = _mm256_set1_epi32((int)a[i]);
            sum[2 * i] = _mm256_add_epi32(sum[2 * i], _mm256_madd_epi16(left, near));
            sum[2 * i + 1] = _mm256_add_epi32(sum[2 * i + 1], _mm256_madd_epi16(left, far));
        }
        a += ROWS;
        b += COLUMNS;
    }
    ORRERY_UNROLL for (int i = 0; i < 2 * rows; i++) {
        __m256i *place = (__m256i *)(c + i / 2 * stride + i % 2 * 8);
        __m256i before = accumulate ? _mm256_loadu_si256(place) : _mm256_setzero_si256();
        _mm256_storeu_si256(place, _mm256_add_epi32(before, sum[i]));
    }
}

static void tile(int rows, long words, const uint32_t *a, const uint32_t *b, void *c, long stride, int accumulate) {
    switch (rows) {
    case 1: tile_of(1, words, a, b, c, stride, accumulate); break;
    case 2: tile_of(2, words, a, b, c, stride, accumulate); break;
    case 3: tile_of(3, words, a, b, c, stride, accumulate); break;
    case 4: tile_of(4, words, a, b, c, stride, accumulate); break;
    case 5: tile_of(5, words, a, b, c, stride, accumulate); break;
    default: tile_of(ROWS, words, a, b, c, stride, accumulate);
    }
}

ORRERY_END

const orrery_dot_kernel orrery_int8_avx2 = {
    .rows = ROWS, .columns = COLUMNS, .depth = 2, .element_bytes = 1, .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

// bfloat16 as f32 in 512-bit registers: widened while packing, multiplied by vfmadd231ps, a tile of 6 x 64 sums.
//
// For processors without vdpbf16ps. Subnormal numbers keep their value, and a sum rounds once a product.
#include "dot_kernels.h"
#include "words_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512

enum { ROWS = 6, VECTORS = 4, COLUMNS = 16 * VECTORS };

ORRERY_INLINE __m512i widened(__mmask16 inside, const uint16_t *from) {
    return _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(inside, from)), 16);
}

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    const uint16_t *corner = a;
    for (long p = 0; p < k; p += 16) {
        long left = k - p < 16 ? k - p : 16;
        __mmask16 inside = (__mmask16)(0xffff >> (16 - left));
        __m512i words[16];
        ORRERY_UNROLL for (int i = 0; i < 16; i++) {
            words[i] = i < rows ? widened(inside, corner + i * stride + p) : _mm512_setzero_si512();
        }
        transpose_words(words);
        ORRERY_UNROLL for (int i = 0; i < 16; i++) {
            if (i < left) _mm512_mask_storeu_epi32(panel + (p + i) * ROWS, (1 << ROWS) - 1, words[i]);
        }
    }
}

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

ORRERY_INLINE void tile_of(
    const int rows, long words, const uint32_t *a, const uint32_t *b, float *c, long stride, int accumulate) {
    __m512 sum[ROWS * VECTORS];
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            sum[i * VECTORS + v] = _mm512_setzero_ps();
            _mm_prefetch((const char *)(c + i * stride + 16 * v), _MM_HINT_T0);
        }
    }
    _Pragma("clang loop unroll_count(4)") for (long p = 0; p < words; p++) {
        __m512 right[VECTORS];
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) right[v] = _mm512_castsi512_ps(_mm512_loadu_si512(b + 16 * v));
        ORRERY_UNROLL for (int i = 0; i < rows; i++) {
            __m512 left = _mm512_castsi512_ps(_mm512_set1_epi32((int)a[i]));
            ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
                sum[i * VECTORS + v] = _mm512_fmadd_ps(left, right[v], sum[i * VECTORS + v]);
            }
        }
        a += ROWS;
        b += COLUMNS;
    }
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            float *place = c + i * stride + 16 * v;
            __m512 before = accumulate ? _mm512_loadu_ps(place) : _mm512_setzero_ps();
            _mm512_storeu_ps(place, _mm512_add_ps(before, sum[i * VECTORS + v]));
        }
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

const orrery_dot_kernel orrery_bf16_avx512 = {
    .rows = ROWS, .columns = COLUMNS, .depth = 1, .element_bytes = 2, .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

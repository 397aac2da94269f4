// bfloat16 by vdpbf16ps: each 32-bit lane adds two products of a pair, c += a0·b0 + a1·b1, twice the rate of f32.
//
// A word is the pair of elements 2p and 2p + 1. A tile of 6 x 64 sums fills 24 of the 32 registers; per word it loads
// four vectors of B and broadcasts one pair for each row of A.
// The instruction takes subnormal inputs and results for zero and rounds to nearest even, whatever the thread has set.
#include "dot_kernels.h"
#include "words_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_BF16

enum { ROWS = 6, VECTORS = 4, COLUMNS = 16 * VECTORS };

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    const uint16_t *corner = a;
    for (long p = 0; p < k; p += 32) {
        long left = k - p < 32 ? k - p : 32;
        __mmask32 inside = (__mmask32)(0xffffffffull >> (32 - left));
        __m512i words[16];
        ORRERY_UNROLL for (int i = 0; i < 16; i++) {
            words[i] = i < rows ? _mm512_maskz_loadu_epi16(inside, corner + i * stride + p) : _mm512_setzero_si512();
        }
        transpose_words(words);
        ORRERY_UNROLL for (int i = 0; i < 16; i++) {
            if (2 * i < left) _mm512_mask_storeu_epi32(panel + (p / 2 + i) * ROWS, (1 << ROWS) - 1, words[i]);
        }
    }
}

// Two rows of B become one row of pairs.
static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    const __m512i low = _mm512_set_epi16(
        47, 15, 46, 14, 45, 13, 44, 12, 43, 11, 42, 10, 41, 9, 40, 8, 39, 7, 38, 6, 37, 5, 36, 4, 35, 3, 34, 2, 33, 1,
        32, 0);
    const uint16_t *corner = b;
    for (long p = 0; p < k; p += 2) {
        const uint16_t *even = corner + p * stride;
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            long left = columns - 16 * v;
            __mmask16 inside = left >= 16 ? 0xffff : left > 0 ? (__mmask16)((1 << left) - 1) : 0;
            __m256i first = _mm256_maskz_loadu_epi16(inside, even + 16 * v);
            __m256i second = _mm256_maskz_loadu_epi16(p + 1 < k ? inside : 0, even + stride + 16 * v);
            __m512i pairs = _mm512_permutex2var_epi16(
                _mm512_castsi256_si512(first), low, _mm512_castsi256_si512(second));
            _mm512_storeu_si512(panel + 16 * v, pairs);
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
        __m512bh right[VECTORS];
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) right[v] = (__m512bh)_mm512_loadu_si512(b + 16 * v);
        ORRERY_UNROLL for (int i = 0; i < rows; i++) {
            __m512bh left = (__m512bh)_mm512_set1_epi32((int)a[i]);
            ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
                sum[i * VECTORS + v] = _mm512_dpbf16_ps(sum[i * VECTORS + v], left, right[v]);
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

const orrery_dot_kernel orrery_bf16_dot = {
    .rows = ROWS, .columns = COLUMNS, .depth = 2, .element_bytes = 2, .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

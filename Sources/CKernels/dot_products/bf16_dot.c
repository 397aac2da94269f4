// bfloat16 by vdpbf16ps: each 32-bit lane adds two products of a pair, c += a0·b0 + a1·b1, twice the rate of f32.
//
// A word is the pair of elements 2p and 2p + 1. A tile of 6 x 64 sums fills 24 of the 32 registers; per word it loads
// four vectors of B and broadcasts one pair for each row of A.
// The instruction takes subnormal inputs and results for zero and rounds to nearest even, whatever the thread has set.
#include "dot_kernels.h"
#include "../instruction_sets.h"

#if defined(__x86_64__)
#define ELEMENT uint16_t
#define DEPTH 2
#define SUM float
#define LANES 16
#define ROWS 6
#define VECTORS 4
#define LOAD_WORDS(from, left) _mm512_maskz_loadu_epi16((__mmask32)(0xffffffffull >> (32 - (left))), from)
#define MULTIPLY_ADD(sum, left, right) _mm512_dpbf16_ps(sum, (__m512bh)(left), (__m512bh)(right))

ORRERY_BEGIN_AVX512_BF16

#include "words_avx512.h"
#include "dot_tile.h"

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

ORRERY_END

const orrery_dot_kernel orrery_bf16_dot = {
    .rows = ROWS, .columns = COLUMNS, .depth = DEPTH, .element_bytes = 2,
    .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

// int8 by vpdpbusd: each 32-bit lane adds four products, four times the rate of f32.
//
// The instruction multiplies unsigned by signed bytes, so A is packed with its sign bit flipped, which adds 128 to each
// element; what that adds to C, 128 times the sum of B's column, stands negated in the header of each panel of B and is
// where the sums start: sum (a + 128) b - 128 sum b = sum a b. All of it modulo 2^32, so nothing on the way can
// overflow.
#include "dot_kernels.h"
#include "../instruction_sets.h"

#if defined(__x86_64__)
#define ELEMENT int8_t
#define DEPTH 4
#define SUM uint32_t
#define LANES 16
#define ROWS 6
#define VECTORS 4
#define HEADER COLUMNS
#define LOAD_WORDS(from, left) \
    _mm512_xor_si512(_mm512_maskz_loadu_epi8(~0ull >> (64 - (left)), from), _mm512_set1_epi8(-128))
#define MULTIPLY_ADD(sum, left, right) (sums)_mm512_dpbusd_epi32((__m512i)(sum), (__m512i)(left), (__m512i)(right))

ORRERY_BEGIN_AVX512_VNNI

#include "words_avx512.h"
#include "dot_tile.h"

// Four rows of 64 bytes become four vectors of 16 words: bytes by pairs of rows, pairs by fours, then the 128-bit
// quarters into the order of the columns.
ORRERY_INLINE void interleave_rows(__m512i r[4]) {
    __m512i low01 = _mm512_unpacklo_epi8(r[0], r[1]), high01 = _mm512_unpackhi_epi8(r[0], r[1]);
    __m512i low23 = _mm512_unpacklo_epi8(r[2], r[3]), high23 = _mm512_unpackhi_epi8(r[2], r[3]);
    __m512i q0 = _mm512_unpacklo_epi16(low01, low23), q1 = _mm512_unpackhi_epi16(low01, low23);
    __m512i q2 = _mm512_unpacklo_epi16(high01, high23), q3 = _mm512_unpackhi_epi16(high01, high23);
    __m512i a = _mm512_shuffle_i32x4(q0, q1, 0x88), b = _mm512_shuffle_i32x4(q2, q3, 0x88); // quarters 0 and 2
    __m512i c = _mm512_shuffle_i32x4(q0, q1, 0xdd), d = _mm512_shuffle_i32x4(q2, q3, 0xdd); // quarters 1 and 3
    r[0] = _mm512_shuffle_i32x4(a, b, 0x88);
    r[1] = _mm512_shuffle_i32x4(c, d, 0x88);
    r[2] = _mm512_shuffle_i32x4(a, b, 0xdd);
    r[3] = _mm512_shuffle_i32x4(c, d, 0xdd);
}

static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    const int8_t *corner = b;
    const __mmask64 inside = ~0ull >> (64 - columns);
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i sum[VECTORS];
    ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) sum[v] = _mm512_setzero_si512();
    uint32_t *words = panel + COLUMNS;
    for (long p = 0; p < k; p += 4) {
        __m512i rows[4];
        ORRERY_UNROLL for (int r = 0; r < 4; r++) {
            rows[r] = _mm512_maskz_loadu_epi8(p + r < k ? inside : 0, corner + (p + r) * stride);
        }
        interleave_rows(rows);
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            sum[v] = _mm512_dpbusd_epi32(sum[v], ones, rows[v]);
            _mm512_storeu_si512(words + 16 * v, rows[v]);
        }
        words += COLUMNS;
    }
    ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
        __m512i offset = _mm512_slli_epi32(sum[v], 7);
        _mm512_storeu_si512(panel + 16 * v, _mm512_sub_epi32(_mm512_setzero_si512(), offset));
    }
}

ORRERY_END

const orrery_dot_kernel orrery_int8_vnni = {
    .rows = ROWS, .columns = COLUMNS, .depth = DEPTH, .header = HEADER, .element_bytes = 1,
    .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

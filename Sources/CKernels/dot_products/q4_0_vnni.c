// Q4_0 rows by vpdpbusd: a group is sixteen blocks of 18 bytes.
//
// Word c of a block's nibbles holds weights 4c ..< 4c + 4 in its low halves and 16 + 4c ..< 20 + 4c in its high ones,
// so that four transposed words give all eight. A nibble stands for itself less 8.
#include "row_groups_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

// The nibbles of runs r, r + 4, r + 8 and r + 12, one in each quarter.
ORRERY_INLINE __m512i four_runs(const uint8_t *front, const uint8_t *back, int r) {
    const uint8_t *q = front + Q4_0_BYTES * r + 2, *later = back + Q4_0_BYTES * r + 2;
    __m512i runs = _mm512_castsi128_si512(sixteen_bytes(q));
    runs = _mm512_inserti32x4(runs, sixteen_bytes(q + 4 * Q4_0_BYTES), 1);
    runs = _mm512_inserti32x4(runs, sixteen_bytes(later), 2);
    return _mm512_inserti32x4(runs, sixteen_bytes(later + 4 * Q4_0_BYTES), 3);
}

ORRERY_INLINE void decode(const uint8_t *front, const uint8_t *back, weight_group *group) {
    const __m512i nibble = _mm512_set1_epi8(15);
    __m512i words[4];
    const uint8_t *f = front, *b = back;
    transpose_quarters(four_runs(f, b, 0), four_runs(f, b, 1), four_runs(f, b, 2), four_runs(f, b, 3), words);
    ORRERY_UNROLL for (int c = 0; c < 4; c++) {
        group->q[c] = _mm512_and_si512(words[c], nibble);
        group->q[c + 4] = _mm512_and_si512(_mm512_srli_epi16(words[c], 4), nibble);
    }
    group->scale = spread_halves(front, back, Q4_0_BYTES);
}

static const row_kind kind = {.decode = decode, .half_bytes = 8 * Q4_0_BYTES, .offset_bits = 3};

void orrery_q4_0_vnni(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply_rows(kind, w, rows, k, x, m, y, stride);
}

ORRERY_END
#endif

// Q8_0 rows by vpdpbusd: a group is sixteen blocks of 34 bytes.
//
// The weights' sign bits are flipped, which makes them unsigned and adds 128 to each.
#include "row_groups_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

// Runs `first` and `first + 4`, one in each half.
ORRERY_INLINE __m512i two_runs(const uint8_t *bytes, int first) {
    const uint8_t *q = bytes + Q8_0_BYTES * first + 2;
    return _mm512_inserti64x4(
        _mm512_castsi256_si512(thirty_two_bytes(q)), thirty_two_bytes(q + 4 * Q8_0_BYTES), 1);
}

ORRERY_INLINE void decode(const uint8_t *front_runs, const uint8_t *back_runs, weight_group *group) {
    const __m512i flip = _mm512_set1_epi8(-128);
    __m512i front[4], back[4]; // words c and c + 4 of runs 0...7, of runs 8...15
    const uint8_t *f = front_runs, *b = back_runs;
    transpose_quarters(two_runs(f, 0), two_runs(f, 1), two_runs(f, 2), two_runs(f, 3), front);
    transpose_quarters(two_runs(b, 0), two_runs(b, 1), two_runs(b, 2), two_runs(b, 3), back);
    ORRERY_UNROLL for (int c = 0; c < 4; c++) {
        __m512i low = _mm512_shuffle_i32x4(front[c], back[c], 0x88);
        __m512i high = _mm512_shuffle_i32x4(front[c], back[c], 0xdd);
        group->q[c] = _mm512_xor_si512(low, flip);
        group->q[c + 4] = _mm512_xor_si512(high, flip);
    }
    group->scale = spread_halves(front_runs, back_runs, Q8_0_BYTES);
}

static const row_kind kind = {.decode = decode, .half_bytes = 8 * Q8_0_BYTES, .offset_bits = 7};

void orrery_q8_0_vnni(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply_rows(kind, w, rows, k, x, m, y, stride);
}

ORRERY_END
#endif

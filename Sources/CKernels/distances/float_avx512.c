// Distances of float32 rows in 512-bit registers: four rows side by side share the loads of the query, with two
// sums of sixteen lanes each, which covers the latency of a fused multiply-add. The four sums are added up together:
// two rounds of interleaving put the four rows side by side, in thirteen instructions.
#include "each_four.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512

ORRERY_INLINE __m512 term(const int l2, __m512 query, __m512 row, __m512 sum) {
    if (!l2) return _mm512_fmadd_ps(query, row, sum);
    __m512 difference = _mm512_sub_ps(query, row);
    return _mm512_fmadd_ps(difference, difference, sum);
}

// The totals of four vectors of sixteen.
ORRERY_INLINE __m128 totals(__m512 a, __m512 b, __m512 c, __m512 d) {
    __m512 ab = _mm512_add_ps(_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    __m512 cd = _mm512_add_ps(_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
    __m512d low = _mm512_unpacklo_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd));
    __m512d high = _mm512_unpackhi_pd(_mm512_castps_pd(ab), _mm512_castps_pd(cd));
    __m512 all = _mm512_add_ps(_mm512_castpd_ps(low), _mm512_castpd_ps(high));
    __m256 half = _mm256_add_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps(all, 1));
    return _mm_add_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1));
}

ORRERY_INLINE __m128 four_rows(const int l2, const float *query, const float *const rows[4], long dimension) {
    __m512 sums[4][2];
    ORRERY_UNROLL for (int r = 0; r < 4; r++) sums[r][0] = sums[r][1] = _mm512_setzero_ps();
    long p = 0;
    for (; p + 32 <= dimension; p += 32) {
        ORRERY_UNROLL for (int s = 0; s < 2; s++) {
            __m512 q = _mm512_loadu_ps(query + p + 16 * s);
            ORRERY_UNROLL for (int r = 0; r < 4; r++) {
                sums[r][s] = term(l2, q, _mm512_loadu_ps(rows[r] + p + 16 * s), sums[r][s]);
            }
        }
    }
    for (; p < dimension; p += 16) {
        long rest = dimension - p;
        __mmask16 some = rest >= 16 ? 0xffff : (__mmask16)((1u << rest) - 1);
        __m512 q = _mm512_maskz_loadu_ps(some, query + p);
        ORRERY_UNROLL for (int r = 0; r < 4; r++) {
            sums[r][0] = term(l2, q, _mm512_maskz_loadu_ps(some, rows[r] + p), sums[r][0]);
        }
    }
    ORRERY_UNROLL for (int r = 0; r < 4; r++) sums[r][0] = _mm512_add_ps(sums[r][0], sums[r][1]);
    return totals(sums[0][0], sums[1][0], sums[2][0], sums[3][0]);
}

ORRERY_INLINE void every_row(const int l2, const float *query, const row_list *list, long dimension, float offset,
    float *distances) {
    const int gathered = list->slots != NULL;
    if (gathered) {
        for (long i = 0; i < ROWS_AHEAD; i++) ask_for_row(list, i);
    }
    for (long i = 0; i < list->count; i += 4) {
        const float *rows[4];
        ORRERY_UNROLL for (int r = 0; r < 4; r++) rows[r] = (const float *)listed_row(list, i + r);
        if (gathered) {
            for (int r = 0; r < 4; r++) ask_for_row(list, i + ROWS_AHEAD + r);
        } else {
            // A block is one stream: what comes some pages later is asked for.
            long bytes = 4 * list->stride;
            for (long at = 0; at < bytes; at += 64) _mm_prefetch((const char *)rows[0] + 4096 + at, _MM_HINT_T0);
        }
        __m128 found = four_rows(l2, query, rows, dimension);
        if (!l2) found = _mm_sub_ps(_mm_set1_ps(offset), found);
        long left = list->count - i;
        _mm_mask_storeu_ps(distances + i, left >= 4 ? 15 : (__mmask8)((1u << left) - 1), found);
    }
}

void orrery_distances_l2_avx512(const float *query, const float *base, long stride, long dimension, float offset,
    const uint32_t *slots, long count, float *distances) {
    row_list list = {(const char *)base, stride * 4, dimension * 4, slots, count};
    every_row(1, query, &list, dimension, offset, distances);
}

void orrery_distances_dot_avx512(const float *query, const float *base, long stride, long dimension, float offset,
    const uint32_t *slots, long count, float *distances) {
    row_list list = {(const char *)base, stride * 4, dimension * 4, slots, count};
    every_row(0, query, &list, dimension, offset, distances);
}

ORRERY_END
#endif

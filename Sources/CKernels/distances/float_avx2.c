// Distances of float32 rows in 256-bit registers: two rows side by side, two sums of eight lanes each.
#include "each_four.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2

ORRERY_INLINE __m256 term(const int l2, __m256 query, __m256 row, __m256 sum) {
    if (!l2) return _mm256_fmadd_ps(query, row, sum);
    __m256 difference = _mm256_sub_ps(query, row);
    return _mm256_fmadd_ps(difference, difference, sum);
}

ORRERY_INLINE float total(__m256 sum) {
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_shuffle_ps(half, half, 1)));
}

ORRERY_INLINE __m256i lanes_below(long count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

ORRERY_INLINE void two_rows(
    const int l2, const float *query, const float *one, const float *other, long dimension, float found[2]) {
    __m256 sums[2][2] = {
        {_mm256_setzero_ps(), _mm256_setzero_ps()},
        {_mm256_setzero_ps(), _mm256_setzero_ps()},
    };
    long p = 0;
    for (; p + 16 <= dimension; p += 16) {
        ORRERY_UNROLL for (int s = 0; s < 2; s++) {
            __m256 q = _mm256_loadu_ps(query + p + 8 * s);
            sums[0][s] = term(l2, q, _mm256_loadu_ps(one + p + 8 * s), sums[0][s]);
            sums[1][s] = term(l2, q, _mm256_loadu_ps(other + p + 8 * s), sums[1][s]);
        }
    }
    for (; p < dimension; p += 8) {
        __m256i some = lanes_below(dimension - p < 8 ? dimension - p : 8);
        __m256 q = _mm256_maskload_ps(query + p, some);
        sums[0][0] = term(l2, q, _mm256_maskload_ps(one + p, some), sums[0][0]);
        sums[1][0] = term(l2, q, _mm256_maskload_ps(other + p, some), sums[1][0]);
    }
    found[0] = total(_mm256_add_ps(sums[0][0], sums[0][1]));
    found[1] = total(_mm256_add_ps(sums[1][0], sums[1][1]));
}

ORRERY_INLINE void every_row(const int l2, const float *query, const row_list *list, long dimension, float offset,
    float *distances) {
    for (long i = 0; i < ROWS_AHEAD && list->slots; i++) ask_for_row(list, i);
    for (long i = 0; i < list->count; i += 2) {
        if (list->slots) {
            ask_for_row(list, i + ROWS_AHEAD);
            ask_for_row(list, i + ROWS_AHEAD + 1);
        }
        float found[2];
        two_rows(l2, query, (const float *)listed_row(list, i), (const float *)listed_row(list, i + 1), dimension,
            found);
        distances[i] = l2 ? found[0] : offset - found[0];
        if (i + 1 < list->count) distances[i + 1] = l2 ? found[1] : offset - found[1];
    }
}

void orrery_distances_l2_avx2(const float *query, const float *base, long stride, long dimension, float offset,
    const uint32_t *slots, long count, float *distances) {
    row_list list = {(const char *)base, stride * 4, dimension * 4, slots, count};
    every_row(1, query, &list, dimension, offset, distances);
}

void orrery_distances_dot_avx2(const float *query, const float *base, long stride, long dimension, float offset,
    const uint32_t *slots, long count, float *distances) {
    row_list list = {(const char *)base, stride * 4, dimension * 4, slots, count};
    every_row(0, query, &list, dimension, offset, distances);
}

ORRERY_END
#endif

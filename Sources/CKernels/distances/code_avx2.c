// Distances of byte codes, 32 at once. Two products of codes' differences, 126 * 126 each, fit into 16 bits.
#include "each_four.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2

ORRERY_INLINE __m256i term(const int l2, __m256i query, __m256i row, __m256i sum) {
    __m256i pairs;
    if (l2) {
        __m256i difference = _mm256_abs_epi8(_mm256_sub_epi8(query, row));
        pairs = _mm256_maddubs_epi16(difference, difference);
    } else {
        pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(query), _mm256_sign_epi8(row, query));
    }
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

ORRERY_INLINE int32_t total(__m256i sum) {
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1)));
}

ORRERY_INLINE void every_row(const int l2, const int8_t *query, const int8_t *base, long stride,
    const uint32_t *slots, long count, int32_t *distances) {
    for (long i = 0; i < count; i++) {
        const int8_t *row = base + (slots ? (long)slots[i] : i) * stride;
        __m256i sums[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
        for (long p = 0; p < stride; p += 64) {
            ORRERY_UNROLL for (int s = 0; s < 2; s++) {
                __m256i q = _mm256_loadu_si256((const __m256i *)(query + p + 32 * s));
                __m256i x = _mm256_loadu_si256((const __m256i *)(row + p + 32 * s));
                sums[s] = term(l2, q, x, sums[s]);
            }
        }
        int32_t sum = total(_mm256_add_epi32(sums[0], sums[1]));
        distances[i] = l2 ? sum : -sum;
    }
}

void orrery_code_distances_l2_avx2(const int8_t *query, const int8_t *base, long stride, const uint32_t *slots,
    long count, int32_t *distances) {
    every_row(1, query, base, stride, slots, count, distances);
}

void orrery_code_distances_dot_avx2(const int8_t *query, const int8_t *base, long stride, const uint32_t *slots,
    long count, int32_t *distances) {
    every_row(0, query, base, stride, slots, count, distances);
}

ORRERY_END
#endif

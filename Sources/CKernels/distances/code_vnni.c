// Distances of byte codes, 64 at once: a difference of two codes fits into a byte, its size is an unsigned and a signed
// byte alike, and one instruction multiplies, adds four neighbors and accumulates. Four rows at a time.
// A product needs one side without sign: |query| by the row with the query's sign.
#include "each_four.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

ORRERY_INLINE __m128i totals(__m512i a, __m512i b, __m512i c, __m512i d) {
    __m512i ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    __m512i cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
    __m512i all = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
    __m256i half = _mm256_add_epi32(_mm512_castsi512_si256(all), _mm512_extracti32x8_epi32(all, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

ORRERY_INLINE __m512i term(const int l2, __m512i query, __m512i row, __m512i sum) {
    if (l2) {
        __m512i difference = _mm512_abs_epi8(_mm512_sub_epi8(query, row));
        return _mm512_dpbusd_epi32(sum, difference, difference);
    }
    __m512i turned = _mm512_mask_sub_epi8(row, _mm512_movepi8_mask(query), _mm512_setzero_si512(), row);
    return _mm512_dpbusd_epi32(sum, _mm512_abs_epi8(query), turned);
}

ORRERY_INLINE void every_row(const int l2, const int8_t *query, const int8_t *base, const long stride,
    const uint32_t *slots, long count, int32_t *distances) {
    row_list list = {(const char *)base, stride, stride, slots, count};
    for (long i = 0; i < count; i += 4) {
        const char *rows[4];
        __m512i sums[4];
        ORRERY_UNROLL for (int r = 0; r < 4; r++) {
            rows[r] = listed_row(&list, i + r);
            sums[r] = _mm512_setzero_si512();
        }
        for (long p = 0; p < stride; p += 64) {
            __m512i q = _mm512_loadu_si512(query + p);
            ORRERY_UNROLL for (int r = 0; r < 4; r++) {
                sums[r] = term(l2, q, _mm512_loadu_si512(rows[r] + p), sums[r]);
            }
        }
        __m128i found = totals(sums[0], sums[1], sums[2], sums[3]);
        if (!l2) found = _mm_sub_epi32(_mm_setzero_si128(), found);
        long left = count - i;
        _mm_mask_storeu_epi32(distances + i, left >= 4 ? 15 : (__mmask8)((1u << left) - 1), found);
    }
}

void orrery_code_distances_l2_vnni(const int8_t *query, const int8_t *base, long stride, const uint32_t *slots,
    long count, int32_t *distances) {
    if (stride == 128) every_row(1, query, base, 128, slots, count, distances);
    else every_row(1, query, base, stride, slots, count, distances);
}

void orrery_code_distances_dot_vnni(const int8_t *query, const int8_t *base, long stride, const uint32_t *slots,
    long count, int32_t *distances) {
    if (stride == 384) every_row(0, query, base, 384, slots, count, distances);
    else every_row(0, query, base, stride, slots, count, distances);
}

ORRERY_END
#endif

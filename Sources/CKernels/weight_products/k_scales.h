// The head of a block of Q4_K and Q5_K: float16 d and dmin, and eight pairs of 6 bits (S, M) in 12 bytes.
//
// Pairs 0 to 3: S is the low 6 bits of byte j, M those of byte 4 + j. Pairs 4 to 7: the low four bits of S and M are
// the halves of byte 4 + j, the high two bits those above S and M of pair j - 4. Of 16 rows at once the head is four
// vectors of words, and a byte of each row is a shift away.
#pragma once

#include "transpose_words.h"

// d · S and dmin · M of the eight runs of 16 rows.
ORRERY_INLINE void k_scales(const uint8_t *blocks, long stride, __m512 scale[8], __m512 minimum[8]) {
    __m512i head[4];
    transpose_quarters(blocks, stride, head);
    __m512 d = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(head[0]));
    __m512 dmin = _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_srli_epi32(head[0], 16)));
    const __m512i six = _mm512_set1_epi32(0x3f), four = _mm512_set1_epi32(0x0f), two = _mm512_set1_epi32(0x30);
    ORRERY_UNROLL for (int j = 0; j < 4; j++) {
        __m512i s = _mm512_srli_epi32(head[1], 8 * (unsigned)j), m = _mm512_srli_epi32(head[2], 8 * (unsigned)j);
        __m512i both = _mm512_srli_epi32(head[3], 8 * (unsigned)j);
        __m512i high_s = _mm512_and_si512(_mm512_srli_epi32(s, 2), two);
        __m512i high_m = _mm512_and_si512(_mm512_srli_epi32(m, 2), two);
        __m512i later_s = _mm512_or_si512(_mm512_and_si512(both, four), high_s);
        __m512i later_m = _mm512_or_si512(_mm512_and_si512(_mm512_srli_epi32(both, 4), four), high_m);
        scale[j] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(_mm512_and_si512(s, six)));
        minimum[j] = _mm512_mul_ps(dmin, _mm512_cvtepi32_ps(_mm512_and_si512(m, six)));
        scale[4 + j] = _mm512_mul_ps(d, _mm512_cvtepi32_ps(later_s));
        minimum[4 + j] = _mm512_mul_ps(dmin, _mm512_cvtepi32_ps(later_m));
    }
}

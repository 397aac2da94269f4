// Transposes in registers: words of 32 bits of 16 rows, read along the rows, become vectors with a lane for each row.
#pragma once

#include "../instruction_sets.h"

// Words 0 to 3 of 16 rows that lie `stride` bytes apart: lane i of words[j] is word j of row i.
//
// Register p holds rows p, 4 + p, 8 + p and 12 + p, a 128-bit quarter each, so that a transpose of 4 x 4 words within
// the quarters, eight shuffles, leaves all 16 rows in order.
ORRERY_INLINE void transpose_quarters(const uint8_t *rows, long stride, __m512i words[4]) {
    __m512i r[4];
    ORRERY_UNROLL for (int p = 0; p < 4; p++) {
        const uint8_t *row = rows + p * stride;
        r[p] = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)row));
        r[p] = _mm512_inserti32x4(r[p], _mm_loadu_si128((const __m128i *)(row + 4 * stride)), 1);
        r[p] = _mm512_inserti32x4(r[p], _mm_loadu_si128((const __m128i *)(row + 8 * stride)), 2);
        r[p] = _mm512_inserti32x4(r[p], _mm_loadu_si128((const __m128i *)(row + 12 * stride)), 3);
    }
    __m512i low01 = _mm512_unpacklo_epi32(r[0], r[1]), high01 = _mm512_unpackhi_epi32(r[0], r[1]);
    __m512i low23 = _mm512_unpacklo_epi32(r[2], r[3]), high23 = _mm512_unpackhi_epi32(r[2], r[3]);
    words[0] = _mm512_unpacklo_epi64(low01, low23);
    words[1] = _mm512_unpackhi_epi64(low01, low23);
    words[2] = _mm512_unpacklo_epi64(high01, high23);
    words[3] = _mm512_unpackhi_epi64(high01, high23);
}

// r[i] word j becomes r[j] word i: first within the quarters, as above, then the quarters themselves in two steps.
ORRERY_INLINE void transpose_words(__m512i r[16]) {
    __m512i t[16];
    ORRERY_UNROLL for (int i = 0; i < 16; i += 4) {
        __m512i low01 = _mm512_unpacklo_epi32(r[i], r[i + 1]), high01 = _mm512_unpackhi_epi32(r[i], r[i + 1]);
        __m512i low23 = _mm512_unpacklo_epi32(r[i + 2], r[i + 3]), high23 = _mm512_unpackhi_epi32(r[i + 2], r[i + 3]);
        t[i] = _mm512_unpacklo_epi64(low01, low23);
        t[i + 1] = _mm512_unpackhi_epi64(low01, low23);
        t[i + 2] = _mm512_unpacklo_epi64(high01, high23);
        t[i + 3] = _mm512_unpackhi_epi64(high01, high23);
    }
    ORRERY_UNROLL for (int j = 0; j < 4; j++) {
        __m512i even01 = _mm512_shuffle_i32x4(t[j], t[j + 4], 0x88), odd01 = _mm512_shuffle_i32x4(t[j], t[j + 4], 0xdd);
        __m512i even23 = _mm512_shuffle_i32x4(t[j + 8], t[j + 12], 0x88);
        __m512i odd23 = _mm512_shuffle_i32x4(t[j + 8], t[j + 12], 0xdd);
        r[j] = _mm512_shuffle_i32x4(even01, even23, 0x88);
        r[j + 8] = _mm512_shuffle_i32x4(even01, even23, 0xdd);
        r[j + 4] = _mm512_shuffle_i32x4(odd01, odd23, 0x88);
        r[j + 12] = _mm512_shuffle_i32x4(odd01, odd23, 0xdd);
    }
}

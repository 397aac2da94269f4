// Panels of A by a 16 x 16 transpose of words in registers: rows are read along, words of 16 rows are written along.
//
// The file that includes this one defines ELEMENT, DEPTH (elements of a word), ROWS (of a panel) and LOAD_WORDS(from,
// left): the 16 words starting there, with zeros for what lies beyond the `left` elements of the row.

// r[i] word j becomes r[j] word i: pairs of rows, then fours, then the 128-bit quarters in two steps.
ORRERY_INLINE void transpose_words(__m512i r[16]) {
    __m512i t[16];
    ORRERY_UNROLL for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
    }
    ORRERY_UNROLL for (int i = 0; i < 16; i += 4) {
        r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    ORRERY_UNROLL for (int i = 0; i < 4; i++) {
        t[i] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
        t[i + 4] = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
        t[i + 8] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
        t[i + 12] = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
    }
    ORRERY_UNROLL for (int i = 0; i < 4; i++) {
        r[i] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0x88);
        r[i + 8] = _mm512_shuffle_i32x4(t[i], t[i + 8], 0xdd);
        r[i + 4] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0x88);
        r[i + 12] = _mm512_shuffle_i32x4(t[i + 4], t[i + 12], 0xdd);
    }
}

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    const ELEMENT *corner = a;
    for (long p = 0; p < k; p += 16 * DEPTH) {
        long left = k - p < 16 * DEPTH ? k - p : 16 * DEPTH;
        __m512i words[16];
        ORRERY_UNROLL for (int i = 0; i < 16; i++) {
            words[i] = i < rows ? LOAD_WORDS(corner + i * stride + p, left) : _mm512_setzero_si512();
        }
        transpose_words(words);
        ORRERY_UNROLL for (int i = 0; i < 16; i++) {
            if (DEPTH * i < left) _mm512_mask_storeu_epi32(panel + (p / DEPTH + i) * ROWS, (1 << ROWS) - 1, words[i]);
        }
    }
}

// Q5_K rows by vpdpbusd: a group is two blocks of 176 bytes, Q4_K's with a fifth bit.
//
// Bit j of the 32 high bytes belongs to run j: word c of them goes to eight lanes, and lane j turns its bit j to the
// place that counts 16.
#include "super_blocks_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

ORRERY_INLINE void decode(const uint8_t *first, const uint8_t *second, weight_group *group) {
    const __m512i turns = _mm512_set_epi32(29, 30, 31, 0, 1, 2, 3, 4, 29, 30, 31, 0, 1, 2, 3, 4);
    const __m512i sixteen = _mm512_set1_epi8(16);
    const __m512i first_words = _mm512_set_epi32(8, 8, 8, 8, 8, 8, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0);
    decode_nibbles(first + 48, second + 48, group);
    __m512i high = _mm512_inserti64x4(
        _mm512_castsi256_si512(thirty_two_bytes(first + 16)), thirty_two_bytes(second + 16), 1);
    ORRERY_UNROLL for (int c = 0; c < 8; c++) {
        __m512i word = _mm512_permutexvar_epi32(_mm512_add_epi32(first_words, _mm512_set1_epi32(c)), high);
        __m512i turned = _mm512_rolv_epi32(word, turns);
        group->q[c] = _mm512_ternarylogic_epi32(turned, sixteen, group->q[c], 0xea); // (turned & sixteen) | q
    }
    decode_scales(first, second, group);
}

static const row_kind kind = {.decode = decode, .half_bytes = Q5_K_BYTES, .has_minimum = 1};

void orrery_q5_k_vnni(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply_rows(kind, w, rows, k, x, m, y, stride);
}

ORRERY_END
#endif

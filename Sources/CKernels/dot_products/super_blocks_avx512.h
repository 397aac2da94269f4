// What Q4_K and Q5_K share in AVX-512: two blocks of 256 at once, sixteen runs of 32 with 6-bit scales and minima.
#pragma once

#include "row_groups_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

// The eight scales and the eight minima of a block, a byte each, from the twelve bytes after d and dmin: four plain
// ones each, then four whose low nibbles share bytes 8...11 and whose high bits are the top of the plain ones.
ORRERY_INLINE void six_bit_pairs(const uint8_t *packed, uint64_t *scales, uint64_t *minima) {
    uint32_t scale, minimum, nibbles;
    memcpy(&scale, packed, 4);
    memcpy(&minimum, packed + 4, 4);
    memcpy(&nibbles, packed + 8, 4);
    uint32_t later_scale = (nibbles & 0x0f0f0f0f) | (scale >> 2 & 0x30303030);
    uint32_t later_minimum = (nibbles >> 4 & 0x0f0f0f0f) | (minimum >> 2 & 0x30303030);
    *scales = (scale & 0x3f3f3f3f) | (uint64_t)later_scale << 32;
    *minima = (minimum & 0x3f3f3f3f) | (uint64_t)later_minimum << 32;
    IN_GENERAL_REGISTER(*scales);
    IN_GENERAL_REGISTER(*minima);
}

ORRERY_INLINE __m512 floats(uint64_t first_eight, uint64_t second_eight) {
    __m128i bytes = _mm_set_epi64x((long long)second_eight, (long long)first_eight);
    return _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(bytes));
}

// Scale and minimum of every run: those of the first block in lanes 0...7, of the second in lanes 8...15.
ORRERY_INLINE void decode_scales(const uint8_t *first, const uint8_t *second, weight_group *group) {
    const __m512i of_d = _mm512_set_epi32(2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m512i of_dmin = _mm512_set_epi32(3, 3, 3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1);
    uint64_t scales[2], minima[2];
    uint32_t halves[2]; // d and dmin
    six_bit_pairs(first + 4, scales, minima);
    six_bit_pairs(second + 4, scales + 1, minima + 1);
    memcpy(halves, first, 4);
    memcpy(halves + 1, second, 4);
    uint64_t four = halves[0] | (uint64_t)halves[1] << 32;
    IN_GENERAL_REGISTER(four);
    __m512 steps = _mm512_castps128_ps512(_mm_cvtph_ps(_mm_cvtsi64_si128((long long)four)));
    group->scale = _mm512_mul_ps(_mm512_permutexvar_ps(of_d, steps), floats(scales[0], scales[1]));
    group->minimum = _mm512_mul_ps(_mm512_permutexvar_ps(of_dmin, steps), floats(minima[0], minima[1]));
}

// The 128 bytes of nibbles of two blocks to words of sixteen runs.
//
// Piece p of a block's nibbles, 32 bytes, holds run 2p in its low halves and run 2p + 1 in its high ones. Transposing
// words of neighboring pieces and then interleaving low and high nibbles brings the runs into their natural order.
ORRERY_INLINE void decode_nibbles(const uint8_t *q, const uint8_t *next, weight_group *group) {
    const __m512i nibble = _mm512_set1_epi8(15);
    __m512i z0 = _mm512_loadu_si512(q), z1 = _mm512_loadu_si512(q + 64); // quarters: pieces 0 0 1 1, 2 2 3 3
    __m512i z2 = _mm512_loadu_si512(next), z3 = _mm512_loadu_si512(next + 64);
    // Quarters of the even pieces 0 2 4 6 and of the odd ones; the halves with words 0...3 and those with words 4...7.
    __m512i a = _mm512_shuffle_i32x4(z0, z1, 0x88), b = _mm512_shuffle_i32x4(z2, z3, 0x88);
    __m512i c = _mm512_shuffle_i32x4(z0, z1, 0xdd), d = _mm512_shuffle_i32x4(z2, z3, 0xdd);
    __m512i even[2] = {_mm512_shuffle_i32x4(a, b, 0x88), _mm512_shuffle_i32x4(c, d, 0x88)};
    __m512i odd[2] = {_mm512_shuffle_i32x4(a, b, 0xdd), _mm512_shuffle_i32x4(c, d, 0xdd)};
    ORRERY_UNROLL for (int half = 0; half < 2; half++) {
        __m512i pair[2]; // words 4h, 4h + 1 and 4h + 2, 4h + 3 of two neighboring pieces in each quarter
        pair[0] = _mm512_unpacklo_epi32(even[half], odd[half]);
        pair[1] = _mm512_unpackhi_epi32(even[half], odd[half]);
        ORRERY_UNROLL for (int i = 0; i < 2; i++) {
            __m512i low = _mm512_and_si512(pair[i], nibble);
            __m512i high = _mm512_and_si512(_mm512_srli_epi16(pair[i], 4), nibble);
            group->q[4 * half + 2 * i] = _mm512_unpacklo_epi32(low, high);
            group->q[4 * half + 2 * i + 1] = _mm512_unpackhi_epi32(low, high);
        }
    }
}

ORRERY_END
#endif

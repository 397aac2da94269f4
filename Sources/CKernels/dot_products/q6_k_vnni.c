// Q6_K rows by vpdpbusd: a group is two blocks of 210 bytes, thirty-two runs of 16 with a scale each, taken as the
// halves of sixteen runs of 32.
//
// Half a block, 64 bytes of nibbles with 32 of high bits, is unpacked to four runs of 32 in their order; eight vectors
// of two runs are then transposed to words. A weight stands for itself less 32.
#include "row_groups_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

// Runs 0, 1 and runs 2, 3 of half a block.
ORRERY_INLINE void unpack_half(const uint8_t *nibbles, const uint8_t *high, __m512i *front, __m512i *back) {
    const __m512i nibble = _mm512_set1_epi8(15), two_bits = _mm512_set1_epi8(0x30);
    const __m512i to_left = _mm512_set_epi64(2, 2, 2, 2, 4, 4, 4, 4);
    const __m512i to_right = _mm512_set_epi64(2, 2, 2, 2, 0, 0, 0, 0);
    __m512i low = _mm512_loadu_si512(nibbles), bits = _mm512_broadcast_i64x4(thirty_two_bytes(high));
    __m512i front_bits = _mm512_and_si512(_mm512_sllv_epi64(bits, to_left), two_bits);
    __m512i back_bits = _mm512_and_si512(_mm512_srlv_epi64(bits, to_right), two_bits);
    *front = _mm512_ternarylogic_epi32(low, nibble, front_bits, 0xea); // (low & nibble) | bits
    *back = _mm512_ternarylogic_epi32(_mm512_srli_epi16(low, 4), nibble, back_bits, 0xea);
}

// The pieces of 256 bits a0 a1, b0 b1 to a0 b0, a1 b1.
ORRERY_INLINE void exchange(__m512i a, __m512i b, __m512i *firsts, __m512i *seconds) {
    *firsts = _mm512_shuffle_i64x2(a, b, 0x44);
    *seconds = _mm512_shuffle_i64x2(a, b, 0xee);
}

ORRERY_INLINE void decode(const uint8_t *first, const uint8_t *second, weight_group *group) {
    __m512i a[4], b[4]; // runs 0 1, 2 3, 4 5, 6 7 of each block
    unpack_half(first, first + 128, a, a + 1);
    unpack_half(first + 64, first + 160, a + 2, a + 3);
    unpack_half(second, second + 128, b, b + 1);
    unpack_half(second + 64, second + 160, b + 2, b + 3);
    __m512i pairs[8], front[4], back[4]; // runs r and r + 4
    exchange(a[0], a[2], pairs, pairs + 1);
    exchange(a[1], a[3], pairs + 2, pairs + 3);
    exchange(b[0], b[2], pairs + 4, pairs + 5);
    exchange(b[1], b[3], pairs + 6, pairs + 7);
    transpose_quarters(pairs[0], pairs[1], pairs[2], pairs[3], front);
    transpose_quarters(pairs[4], pairs[5], pairs[6], pairs[7], back);
    ORRERY_UNROLL for (int c = 0; c < 4; c++) {
        group->q[c] = _mm512_shuffle_i32x4(front[c], back[c], 0x88);
        group->q[c + 4] = _mm512_shuffle_i32x4(front[c], back[c], 0xdd);
    }
    // Even scales are of front halves, odd ones of back halves.
    __m256i scales = _mm256_inserti128_si256(
        _mm256_castsi128_si256(sixteen_bytes(first + 192)), sixteen_bytes(second + 192), 1);
    __m512i words = _mm512_cvtepu16_epi32(scales);
    uint16_t halves[2];
    memcpy(halves, first + 208, 2);
    memcpy(halves + 1, second + 208, 2);
    __m256 d = _mm256_set1_ps(_cvtsh_ss(halves[0])), next_d = _mm256_set1_ps(_cvtsh_ss(halves[1]));
    __m512 step = _mm512_insertf32x8(_mm512_castps256_ps512(d), next_d, 1);
    __m512i even = _mm512_srai_epi32(_mm512_slli_epi32(words, 24), 24);
    __m512i odd = _mm512_srai_epi32(_mm512_slli_epi32(words, 16), 24);
    group->scale = _mm512_mul_ps(step, _mm512_cvtepi32_ps(even));
    group->back_scale = _mm512_mul_ps(step, _mm512_cvtepi32_ps(odd));
}

static const row_kind kind = {.decode = decode, .half_bytes = Q6_K_BYTES, .offset_bits = 5, .has_halves = 1};

void orrery_q6_k_vnni(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply_rows(kind, w, rows, k, x, m, y, stride);
}

ORRERY_END
#endif

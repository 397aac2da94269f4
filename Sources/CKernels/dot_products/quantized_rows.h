// Rows of weights in 4 or 8 bits, and of activations in 8: layouts, and the loops that every path shares.
//
// Q8_0 (32 weights, 34 bytes): f16 d, i8 q[32]. Weight i is d·q[i].
// Q4_0 (32 weights, 18 bytes): f16 d, u8 q[16]. Weights j and j + 16 are d·(low nibble of q[j] - 8), d·(high - 8).
// Q4_K (256 weights, 144 bytes): f16 d, f16 dmin, u8 s[12], u8 q[128]. Eight runs of 32 with 6 bits of scale S and of
//      minimum M: weight = d·S·nibble - dmin·M; byte l of the 32 bytes g holds weights 64g + l (low) and
//      64g + 32 + l (high).
// Q5_K (256 weights, 176 bytes): f16 d, f16 dmin, u8 s[12], u8 h[32], u8 q[128]. As Q4_K, with 16 more for weight l of
//      run j where bit j of h[l] is set.
// Q6_K (256 weights, 210 bytes): u8 q[128], u8 h[64], i8 s[16], f16 d. Sixteen runs of 16 with a scale each: weight =
//      d·s·(q - 32). Half t of the block has 64 bytes of q and 32 of h; its weight 32p + l, p = 0...3, takes its low
//      four bits from byte 32·(p mod 2) + l of q (low nibble for p < 2, else high) and two more from bits 2p of h[l].
// The layouts are those of ggml (llama.cpp, ggml-common.h).
#pragma once

#include "../include/dot_products.h"
#include "half.h"

#include <string.h>

enum {
    GROUP = 512,                      // weights that the kernels take at once: 16 runs of 32
    Q8_0_BYTES = 34, Q4_0_BYTES = 18, // of a block of 32
    Q4_K_BYTES = 144, Q5_K_BYTES = 176, Q6_K_BYTES = 210, // of a block of 256
};

// Formats with blocks of 256, whose activations share a scale by 256 too.
ORRERY_INLINE int is_super_block(orrery_row_format format) { return format >= ORRERY_Q4_K; }

// 512 activations in 8 bits: q times the scale of their run of 32. A row that ends before is filled with zeros.
// Groups lie by column, then by row: group g of row i of m is number g·m + i.
typedef struct {
    int8_t q[GROUP];
    float scale[GROUP / 32];
    int32_t sum[GROUP / 32]; // of q, by run
    int32_t front_sum[GROUP / 32]; // of the first half of each run: Q6_K has a scale for each half
} activation_group;

ORRERY_INLINE float half_at(const uint8_t *place) {
    uint16_t half;
    memcpy(&half, place, 2);
    return float_of_half(half);
}

// The 6-bit scale and minimum of run j of a Q4_K or Q5_K block, from the twelve bytes after d and dmin.
ORRERY_INLINE void q4_k_scale(const uint8_t *packed, int j, int *scale, int *minimum) {
    if (j < 4) {
        *scale = packed[j] & 63;
        *minimum = packed[j + 4] & 63;
    } else {
        *scale = (packed[j + 4] & 15) | (packed[j - 4] >> 6) << 4;
        *minimum = packed[j + 4] >> 4 | (packed[j] >> 6) << 4;
    }
}

// Weight 32p + l of half t of a Q6_K block as it is stored: 0 ..< 64.
ORRERY_INLINE int q6_k_level(const uint8_t *block, int t, int p, int l) {
    int nibble = block[64 * t + 32 * (p % 2) + l] >> p / 2 * 4 & 15;
    return nibble | (block[128 + 32 * t + l] >> 2 * p & 3) << 4;
}

// One row of activations in the order that the AVX-512 path wants: word c of all sixteen runs, for c = 0, 1, ... 7.
void orrery_quantize_row_vnni(orrery_row_format format, const float *x, long k, long m, activation_group *group);

orrery_row_product orrery_q8_0_decoded, orrery_q8_0_portable, orrery_q8_0_avx2, orrery_q8_0_vnni;
orrery_row_product orrery_q4_0_decoded, orrery_q4_0_portable, orrery_q4_0_avx2, orrery_q4_0_vnni;
orrery_row_product orrery_q4_k_decoded, orrery_q4_k_portable, orrery_q4_k_avx2, orrery_q4_k_vnni;
orrery_row_product orrery_q5_k_decoded, orrery_q5_k_portable, orrery_q5_k_avx2, orrery_q5_k_vnni;
orrery_row_product orrery_q6_k_decoded, orrery_q6_k_portable, orrery_q6_k_avx2, orrery_q6_k_vnni;

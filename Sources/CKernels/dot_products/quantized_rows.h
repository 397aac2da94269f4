// Rows of weights in 4 or 8 bits, and of activations in 8: layouts, and the loops that every path shares.
//
// Q8_0 (32 weights, 34 bytes): f16 d, i8 q[32]. Weight i is d·q[i].
// Q4_0 (32 weights, 18 bytes): f16 d, u8 q[16]. Weights j and j + 16 are d·(low nibble of q[j] - 8), d·(high - 8).
// Q4_K (256 weights, 144 bytes): f16 d, f16 dmin, u8 s[12], u8 q[128]. Eight runs of 32 with 6 bits of scale S and of
//      minimum M: weight = d·S·nibble - dmin·M; byte l of the 32 bytes g holds weights 64g + l (low) and
//      64g + 32 + l (high).
// The layouts are those of ggml (llama.cpp, ggml-common.h).
#pragma once

#include "../include/dot_products.h"
#include "half.h"

#include <string.h>

enum {
    GROUP = 512,                      // weights that the kernels take at once: 16 runs of 32
    Q8_0_BYTES = 34, Q4_0_BYTES = 18, // of a block of 32
    Q4_K_BYTES = 144,                 // of a block of 256
};

// 512 activations in 8 bits: q times the scale of their run of 32. A row that ends before is filled with zeros.
// Groups lie by column, then by row: group g of row i of m is number g·m + i.
typedef struct {
    int8_t q[GROUP];
    float scale[GROUP / 32];
    int32_t sum[GROUP / 32]; // of q, by run
} activation_group;

ORRERY_INLINE float half_at(const uint8_t *place) {
    uint16_t half;
    memcpy(&half, place, 2);
    return float_of_half(half);
}

// The 6-bit scale and minimum of run j of a Q4_K block, from the twelve bytes after d and dmin.
ORRERY_INLINE void q4_k_scale(const uint8_t *packed, int j, int *scale, int *minimum) {
    if (j < 4) {
        *scale = packed[j] & 63;
        *minimum = packed[j + 4] & 63;
    } else {
        *scale = (packed[j + 4] & 15) | (packed[j - 4] >> 6) << 4;
        *minimum = packed[j + 4] >> 4 | (packed[j] >> 6) << 4;
    }
}

// The order that the AVX-512 path wants: word c of all sixteen runs, for c = 0, 1, ... 7.
void orrery_arrange_by_words(activation_group *group);

orrery_row_product orrery_q8_0_decoded, orrery_q8_0_portable, orrery_q8_0_avx2, orrery_q8_0_vnni;
orrery_row_product orrery_q4_0_decoded, orrery_q4_0_portable, orrery_q4_0_avx2, orrery_q4_0_vnni;
orrery_row_product orrery_q4_k_decoded, orrery_q4_k_portable, orrery_q4_k_avx2, orrery_q4_k_vnni;

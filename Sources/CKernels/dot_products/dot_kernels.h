// The tiles that the loops of dot_blocks.c go round; each is a file of its own.
#pragma once

#include "../include/dot_products.h"

extern const orrery_dot_kernel orrery_bf16_portable, orrery_int8_portable;

// bfloat16 widened to f32 words while packing: what every tile but vdpbf16ps eats.
void orrery_widen_panel_a(const uint16_t *a, long stride, long rows, long k, int panel_rows, uint32_t *panel);
void orrery_widen_panel_b(const uint16_t *b, long stride, long k, long columns, int panel_columns, uint32_t *panel);

// int8 widened to pairs of int16: what every tile but vpdpbusd eats.
void orrery_pair_panel_a(const int8_t *a, long stride, long rows, long k, int panel_rows, uint32_t *panel);
void orrery_pair_panel_b(const int8_t *b, long stride, long k, long columns, int panel_columns, uint32_t *panel);

#if defined(__x86_64__)
extern const orrery_dot_kernel orrery_bf16_avx2, orrery_bf16_avx512, orrery_bf16_dot;
extern const orrery_dot_kernel orrery_int8_avx2, orrery_int8_vnni;
#endif

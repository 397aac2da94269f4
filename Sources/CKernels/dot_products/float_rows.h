// Rows of weights that are multiplied as they are: what a weight is in f32, and the codebook of NF4.
//
// F32, F16, BF16: the number itself. NF4: two weights a byte, the first in the high nibble; a nibble names one of
// sixteen quantiles of the normal distribution (Dettmers et al., "QLoRA", 2023, appendix E), times the f32 scale of its
// 64 weights, counted through the whole matrix. INT8: q · scale · (1 / 127), a scale a row. The last two are
// bitsandbytes' layouts.
#pragma once

#include "../include/dot_products.h"
#include "half.h"

enum { NF4_BLOCK = 64 };

static const float INT8_STEP = 7.874015718698502e-3f; // 1 / 127

static const float NF4_VALUES[16] = {
    -1.0f, -0.6961928009986877f, -0.5250730514526367f, -0.39491748809814453f,
    -0.28444138169288635f, -0.18477343022823334f, -0.09105003625154495f, 0.0f,
    0.07958029955625534f, 0.16093020141124725f, 0.24611230194568634f, 0.33791524171829224f,
    0.44070982933044434f, 0.5626170039176941f, 0.7229568362236023f, 1.0f,
};

orrery_float_row_product orrery_f32_rows_portable, orrery_f32_rows_avx2, orrery_f32_rows_avx512;
orrery_float_row_product orrery_f16_rows_portable, orrery_f16_rows_avx2, orrery_f16_rows_avx512;
orrery_float_row_product orrery_bf16_rows_portable, orrery_bf16_rows_avx2, orrery_bf16_rows_avx512;
orrery_float_row_product orrery_nf4_rows_portable, orrery_nf4_rows_avx2, orrery_nf4_rows_avx512;
orrery_float_row_product orrery_int8_rows_portable, orrery_int8_rows_avx2, orrery_int8_rows_avx512;

// Rows of weights by floats, without vector instructions of our own.
#include "half.h"

#define WIDEN_HALVES(from, to, count) \
    for (long i = 0; i < (count); i++) (to)[i] = float_of_half((from)[i])

#include "float_row_pieces.h"

void orrery_f32_rows_portable(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_F32, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_f16_rows_portable(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_F16, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_bf16_rows_portable(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_BF16, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_nf4_rows_portable(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_NF4, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_int8_rows_portable(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_INT8, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

// Rows of weights by floats in 256-bit registers: the portable loops again, which a compiler makes wider here.
#include "float_rows.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2

ORRERY_INLINE void widen_halves(const uint16_t *from, float *to, long count) {
    long i = 0;
    for (; i + 8 <= count; i += 8) {
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
    }
    for (; i < count; i++) to[i] = float_of_half(from[i]);
}

#define WIDEN_HALVES widen_halves

#include "float_row_pieces.h"

void orrery_f32_rows_avx2(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_F32, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_f16_rows_avx2(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_F16, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_bf16_rows_avx2(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_BF16, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_nf4_rows_avx2(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_NF4, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_int8_rows_avx2(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply(ORRERY_FLOAT_INT8, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

ORRERY_END
#endif

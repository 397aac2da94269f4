// Layer norm and RMS norm with vectors of eight, four partial sums at once. The rest of a row that fills no vector goes
// one number at a time.
#include "rows.h"

#include "../instruction_sets.h"

#if defined(__x86_64__)

#include <math.h>

ORRERY_BEGIN_AVX2

ORRERY_INLINE double total(const __m256 sum[4]) {
    float lanes[8];
    _mm256_storeu_ps(lanes, _mm256_add_ps(_mm256_add_ps(sum[0], sum[1]), _mm256_add_ps(sum[2], sum[3])));
    double result = 0;
    for (int lane = 0; lane < 8; lane++) result += lanes[lane];
    return result;
}

// The sum of x - shift.
static double sum_about(const float *x, float shift, long columns) {
    const __m256 center = _mm256_set1_ps(shift);
    __m256 sum[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    long i = 0;
    for (; i + 32 <= columns; i += 32) {
        ORRERY_UNROLL
        for (int k = 0; k < 4; k++) {
            sum[k] = _mm256_add_ps(sum[k], _mm256_sub_ps(_mm256_loadu_ps(x + i + 8 * k), center));
        }
    }
    for (; i + 8 <= columns; i += 8) sum[0] = _mm256_add_ps(sum[0], _mm256_sub_ps(_mm256_loadu_ps(x + i), center));
    double rest = 0;
    for (; i < columns; i++) rest += x[i] - shift;
    return total(sum) + rest;
}

// The sum of (x - shift)^2.
static double squares_about(const float *x, float shift, long columns) {
    const __m256 center = _mm256_set1_ps(shift);
    __m256 sum[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    long i = 0;
    for (; i + 32 <= columns; i += 32) {
        ORRERY_UNROLL
        for (int k = 0; k < 4; k++) {
            __m256 d = _mm256_sub_ps(_mm256_loadu_ps(x + i + 8 * k), center);
            sum[k] = _mm256_fmadd_ps(d, d, sum[k]);
        }
    }
    for (; i + 8 <= columns; i += 8) {
        __m256 d = _mm256_sub_ps(_mm256_loadu_ps(x + i), center);
        sum[0] = _mm256_fmadd_ps(d, d, sum[0]);
    }
    double rest = 0;
    for (; i < columns; i++) rest += (x[i] - shift) * (x[i] - shift);
    return total(sum) + rest;
}

// y = ((x - shift) scale + start) gain + bias.
static void write_row(const float *x, float *y, float shift, float scale, float start, const float *gain,
    const float *bias, long columns) {
    const __m256 center = _mm256_set1_ps(shift), factor = _mm256_set1_ps(scale), addend = _mm256_set1_ps(start);
    long i = 0;
    for (; i + 8 <= columns; i += 8) {
        __m256 d = _mm256_sub_ps(_mm256_loadu_ps(x + i), center);
        __m256 value = _mm256_fmadd_ps(d, factor, addend);
        if (gain) value = _mm256_mul_ps(value, _mm256_loadu_ps(gain + i));
        if (bias) value = _mm256_add_ps(value, _mm256_loadu_ps(bias + i));
        _mm256_storeu_ps(y + i, value);
    }
    for (; i < columns; i++) {
        float value = (x[i] - shift) * scale + start;
        if (gain) value *= gain[i];
        if (bias) value += bias[i];
        y[i] = value;
    }
}

// The mean is kept as a float near it and an offset: a float near 10,000 has no digits below 0.0005, and the offset
// takes from the variance what the float is next to the mean.
void orrery_layer_norm_avx2(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns) {
    const double count = (double)columns;
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        float shift = x[0] + (float)(sum_about(x, x[0], columns) / count);
        double offset = sum_about(x, shift, columns) / count;
        double variance = squares_about(x, shift, columns) / count - offset * offset;
        float scale = (float)(1 / sqrt(variance + epsilon));
        write_row(x, y, shift, scale, (float)(-offset * scale), gain, bias, columns);
    }
}

void orrery_rms_norm_avx2(const float *x, long x_stride, float *y, long y_stride, const float *gain, float epsilon,
    long rows, long columns) {
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        double mean_square = squares_about(x, 0, columns) / (double)columns;
        write_row(x, y, 0, (float)(1 / sqrt(mean_square + epsilon)), 0, gain, 0, columns);
    }
}

ORRERY_END

#endif

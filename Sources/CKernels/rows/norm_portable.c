// Layer norm and RMS norm in plain C that a compiler turns into vectors: sixteen partial sums, one a position within a
// block of sixteen columns, added up in float64 at the end.
#include "rows.h"

#include <math.h>

enum { LANES = 16 };

static double total(const float *lanes) {
    double sum = 0;
    for (int lane = 0; lane < LANES; lane++) sum += lanes[lane];
    return sum;
}

// The sum of x - shift.
static double sum_about(const float *x, float shift, long columns) {
    float lanes[LANES] = {0};
    long i = 0;
    for (; i + LANES <= columns; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) lanes[lane] += x[i + lane] - shift;
    }
    for (; i < columns; i++) lanes[0] += x[i] - shift;
    return total(lanes);
}

// The sum of (x - shift)^2.
static double squares_about(const float *x, float shift, long columns) {
    float lanes[LANES] = {0};
    long i = 0;
    for (; i + LANES <= columns; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) lanes[lane] += (x[i + lane] - shift) * (x[i + lane] - shift);
    }
    for (; i < columns; i++) lanes[0] += (x[i] - shift) * (x[i] - shift);
    return total(lanes);
}

// The mean is kept as a float near it and an offset: a float near 10,000 has no digits below 0.0005, and the offset
// takes from the variance what the float is next to the mean.
void orrery_layer_norm_portable(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns) {
    const double count = (double)columns;
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        float shift = x[0] + (float)(sum_about(x, x[0], columns) / count);
        double offset = sum_about(x, shift, columns) / count;
        double variance = squares_about(x, shift, columns) / count - offset * offset;
        float scale = (float)(1 / sqrt(variance + epsilon));
        float start = (float)(-offset * scale);
        if (gain && bias) {
            for (long i = 0; i < columns; i++) y[i] = ((x[i] - shift) * scale + start) * gain[i] + bias[i];
        } else if (gain) {
            for (long i = 0; i < columns; i++) y[i] = ((x[i] - shift) * scale + start) * gain[i];
        } else if (bias) {
            for (long i = 0; i < columns; i++) y[i] = ((x[i] - shift) * scale + start) + bias[i];
        } else {
            for (long i = 0; i < columns; i++) y[i] = (x[i] - shift) * scale + start;
        }
    }
}

void orrery_rms_norm_portable(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    float epsilon, long rows, long columns) {
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        double mean_square = squares_about(x, 0, columns) / (double)columns;
        float scale = (float)(1 / sqrt(mean_square + epsilon));
        if (gain) {
            for (long i = 0; i < columns; i++) y[i] = x[i] * scale * gain[i];
        } else {
            for (long i = 0; i < columns; i++) y[i] = x[i] * scale;
        }
    }
}

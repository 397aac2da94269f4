// Layer norm and RMS norm as a textbook has them: mean, variance, row; every sum in float64 and in order.
//
// Sources: Ba, Kiros, Hinton, "Layer normalization", 2016, equation 4; Zhang and Sennrich, "Root mean square layer
// normalization", 2019, equation 4. The variance is taken about the mean, in a pass of its own: the difference
// mean(x^2) - mean(x)^2 would lose every digit that the two have in common.
#include "rows.h"

#include <math.h>

void orrery_layer_norm_textbook(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns) {
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        double mean = 0;
        for (long i = 0; i < columns; i++) mean += x[i];
        mean /= (double)columns;
        double variance = 0;
        for (long i = 0; i < columns; i++) variance += (x[i] - mean) * (x[i] - mean);
        variance /= (double)columns;
        double scale = 1 / sqrt(variance + epsilon);
        for (long i = 0; i < columns; i++) {
            double normalized = (x[i] - mean) * scale;
            y[i] = (float)(normalized * (gain ? gain[i] : 1) + (bias ? bias[i] : 0));
        }
    }
}

void orrery_rms_norm_textbook(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    float epsilon, long rows, long columns) {
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        double squares = 0;
        for (long i = 0; i < columns; i++) squares += (double)x[i] * x[i];
        double scale = 1 / sqrt(squares / (double)columns + epsilon);
        for (long i = 0; i < columns; i++) y[i] = (float)(x[i] * scale * (gain ? gain[i] : 1));
    }
}

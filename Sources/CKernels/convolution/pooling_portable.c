// Pooling of any windows, one number at a time.
#include "convolution.h"

#include <math.h>
#include <string.h>

// Calls for every place of the result, and for every element of its window that is within the plane.
#define FOR_EACH_TAP(...)                                                                                              \
    for (long i = 0; i < s->kernel_rows; i++) {                                                                        \
        const long row = r * s->stride_rows - s->padding_rows + i * s->dilation_rows;                                  \
        if (row < 0 || row >= s->rows) continue;                                                                       \
        for (long j = 0; j < s->kernel_columns; j++) {                                                                 \
            const long column = q * s->stride_columns - s->padding_columns + j * s->dilation_columns;                  \
            if (column < 0 || column >= s->columns) continue;                                                          \
            const long from = row * s->columns + column;                                                               \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }

#define FOR_EACH_WINDOW(...)                                                                                           \
    for (long p = 0; p < planes; p++) {                                                                                \
        for (long r = 0; r < s->out_rows; r++) {                                                                       \
            for (long q = 0; q < s->out_columns; q++) {                                                                \
                const long to = (p * s->out_rows + r) * s->out_columns + q, plane = p * s->rows * s->columns;          \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    }

void orrery_max_pool_portable(
    const orrery_pooling *s, long planes, int rectifies, const float *x, float *y, uint16_t *taps) {
    FOR_EACH_WINDOW({
        float largest = -INFINITY;
        uint16_t tap = ORRERY_NO_TAP;
        FOR_EACH_TAP({
            float number = x[plane + from];
            int is_first_nan = number != number && largest == largest;
            if (tap == ORRERY_NO_TAP || number > largest || is_first_nan) {
                largest = number;
                tap = (uint16_t)(i * s->kernel_columns + j);
            }
        })
        if (rectifies && largest <= 0) {
            largest = 0;
            tap = ORRERY_NO_TAP;
        }
        y[to] = largest;
        taps[to] = tap;
    })
}

void orrery_max_pool_gradient_portable(
    const orrery_pooling *s, long planes, const float *y_gradient, const uint16_t *taps, float *x_gradient) {
    memset(x_gradient, 0, (size_t)(planes * s->rows * s->columns) * sizeof(float));
    FOR_EACH_WINDOW({
        if (taps[to] == ORRERY_NO_TAP) continue;
        long i = taps[to] / s->kernel_columns, j = taps[to] % s->kernel_columns;
        long row = r * s->stride_rows - s->padding_rows + i * s->dilation_rows;
        long column = q * s->stride_columns - s->padding_columns + j * s->dilation_columns;
        x_gradient[plane + row * s->columns + column] += y_gradient[to];
    })
}

void orrery_average_pool(const orrery_pooling *s, long planes, const float *x, float *y) {
    const float share = 1.0f / (float)(s->kernel_rows * s->kernel_columns);
    FOR_EACH_WINDOW({
        float sum = 0;
        FOR_EACH_TAP({ sum += x[plane + from]; })
        y[to] = sum * share;
    })
}

void orrery_average_pool_gradient(
    const orrery_pooling *s, long planes, const float *y_gradient, float *x_gradient) {
    const float share = 1.0f / (float)(s->kernel_rows * s->kernel_columns);
    memset(x_gradient, 0, (size_t)(planes * s->rows * s->columns) * sizeof(float));
    FOR_EACH_WINDOW({
        float part = y_gradient[to] * share;
        FOR_EACH_TAP({ x_gradient[plane + from] += part; })
    })
}

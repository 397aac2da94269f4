// Two-dimensional convolution with its gradients, and pooling, in float32.
//
// Shapes, all of them contiguous: x [batch, groups, channels, rows, columns], weights [groups, outputs, channels,
// kernel_rows, kernel_columns], bias [groups, outputs], y [batch, groups, outputs, out_rows, out_columns]. A kernel is
// not reversed. Every size is at least 1, paddings at least 0.
//
// Work is cut into chunks by the shapes alone, which any thread may do in any order. What is summed over the batch is
// summed chunk by chunk first; the chunks' sums are added in order.
#pragma once

#include <stdint.h>

typedef struct {
    long batch, groups, channels, outputs; // channels and outputs are those of one group
    long rows, columns;
    long kernel_rows, kernel_columns;
    long stride_rows, stride_columns;
    long padding_rows, padding_columns;
    long dilation_rows, dilation_columns;
    long out_rows, out_columns;
} orrery_convolution;

// The paths: how the products inside are computed. `direct` takes a stride of 1 and a padding that is no larger than
// the reach of the kernel less 1 (see orrery_convolution_is_direct); the others take everything and write the windows
// as columns of a matrix first.
enum {
    ORRERY_CONVOLUTION_PORTABLE,
    ORRERY_CONVOLUTION_AVX2,
    ORRERY_CONVOLUTION_AVX512,
    ORRERY_CONVOLUTION_DIRECT, // AVX-512
};

int orrery_convolution_is_direct(const orrery_convolution *shape);

// Images of the batch, in `chunks` parts.
long orrery_convolution_chunks(const orrery_convolution *shape);

// Each returns 0, or -1 if there was no memory: then the result is not complete.
//
// y. `bias` may be null.
int orrery_convolution_forward(
    int path, const orrery_convolution *shape, const float *x, const float *weights, const float *bias, float *y,
    long chunk);
// The gradient of x, from that of y.
int orrery_convolution_input_gradient(
    int path, const orrery_convolution *shape, const float *weights, const float *y_gradient, float *x_gradient,
    long chunk);

// The gradients of weights and bias are the sum, in order, of `weight_parts` arrays of weights and bias, one after the
// other. `weight_chunks` chunks write them. `weight_memory` is the calling thread's room for them, until it asks again;
// null where memory is short.
long orrery_convolution_weight_parts(const orrery_convolution *shape);
float *orrery_convolution_weight_memory(const orrery_convolution *shape);
long orrery_convolution_weight_chunks(const orrery_convolution *shape);
int orrery_convolution_weight_gradient(
    int path, const orrery_convolution *shape, const float *x, const float *y_gradient, float *parts, long chunk);

// Pooling: planes [planes, rows, columns] of x to [planes, out_rows, out_columns] of y.
typedef struct {
    long rows, columns;
    long kernel_rows, kernel_columns;
    long stride_rows, stride_columns;
    long padding_rows, padding_columns;
    long dilation_rows, dilation_columns;
    long out_rows, out_columns;
} orrery_pooling;

enum { ORRERY_NO_TAP = 0xffff };

// The largest number of each window, the first of equals, NaN before all; `taps` says which of the window it was, row
// by row. With `rectifies` y is max(y, 0), and a window without a positive number has ORRERY_NO_TAP. A window has fewer
// than 65,535 numbers.
void orrery_max_pool_portable(
    const orrery_pooling *shape, long planes, int rectifies, const float *x, float *y, uint16_t *taps);
// Each window's gradient goes to its tap; all of x_gradient is written.
void orrery_max_pool_gradient_portable(
    const orrery_pooling *shape, long planes, const float *y_gradient, const uint16_t *taps, float *x_gradient);
// The mean of each window, the padding counting as zeros.
void orrery_average_pool(const orrery_pooling *shape, long planes, const float *x, float *y);
void orrery_average_pool_gradient(const orrery_pooling *shape, long planes, const float *y_gradient, float *x_gradient);

#if defined(__x86_64__)
// For windows of 2 x 2 side by side, without padding.
void orrery_max_pool_2x2_avx512(
    const orrery_pooling *shape, long planes, int rectifies, const float *x, float *y, uint16_t *taps);
void orrery_max_pool_2x2_gradient_avx512(
    const orrery_pooling *shape, long planes, const float *y_gradient, const uint16_t *taps, float *x_gradient);
#endif

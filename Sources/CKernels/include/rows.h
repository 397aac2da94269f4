// Functions of one row of numbers after another: softmax, layer norm, RMS norm, and the exponential they rest on.
//
// Every matrix is [rows, columns] of float32; `x_stride` and `y_stride` count the floats from one row to the next, at
// least `columns`. Rows and columns may be any number from 1. `x` and `y` may be the same memory with the same stride,
// but may not overlap otherwise. A row's bits depend on that row alone, never on how many others there are.
#pragma once

// y = e^x / sum(e^x) along each row, computed as e^(x - max) so that no size of x overflows.
// An element of -inf has probability 0. A row of nothing but -inf, and a row with NaN or +inf, becomes NaN.
// For the columns of a row, with u = 2^-24: |y - exact| <= (16 + |x - max| + columns / 32) u exact + 2^-126.
// (The last term is what flushing of the smallest numbers may cost.)

/// Three passes as in the textbook, with expf of the C library and the sum in float64.
void orrery_softmax_libm(const float *x, long x_stride, float *y, long y_stride, long rows, long columns);
/// Three passes with a polynomial exponential in plain C, which the compiler turns into vectors.
void orrery_softmax_portable(const float *x, long x_stride, float *y, long y_stride, long rows, long columns);
#if defined(__x86_64__)
/// Three passes of 256-bit vectors.
void orrery_softmax_avx2(const float *x, long x_stride, float *y, long y_stride, long rows, long columns);
/// Three passes of 512-bit vectors, the exponential by table and parabola.
void orrery_softmax_avx512(const float *x, long x_stride, float *y, long y_stride, long rows, long columns);
/// Maximum and sum in one pass (Milakov and Gimelshein 2018, algorithm 3), exponentials again in the second.
void orrery_softmax_online(const float *x, long x_stride, float *y, long y_stride, long rows, long columns);
/// One pass of exponentials without a maximum where the row allows it, next to the division of the row before.
void orrery_softmax_overlapped(const float *x, long x_stride, float *y, long y_stride, long rows, long columns);
#endif

// y = (x - mean) / sqrt(variance + epsilon) * gain + bias along each row, with the variance of the population
// (divided by columns). `gain` and `bias` have `columns` elements; null stands for ones and for zeros.

/// Mean, then variance, then the row, in plain loops with sums in float64.
void orrery_layer_norm_textbook(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns);
/// The same three passes with sixteen partial sums, which the compiler turns into vectors.
void orrery_layer_norm_portable(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns);
#if defined(__x86_64__)
/// Three passes of 256-bit vectors.
void orrery_layer_norm_avx2(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns);
/// Mean and variance in one pass about a number of the row, next to the writing of the row before.
void orrery_layer_norm_avx512(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns);
#endif

// y = x / sqrt(mean(x^2) + epsilon) * gain along each row; a null `gain` stands for ones. Squares that overflow
// (|x| beyond 1.8e19) give a row of zeros, as float32 does everywhere.

/// The sum of squares, then the row, in plain loops with the sum in float64.
void orrery_rms_norm_textbook(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    float epsilon, long rows, long columns);
/// The same with sixteen partial sums, which the compiler turns into vectors.
void orrery_rms_norm_portable(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    float epsilon, long rows, long columns);
#if defined(__x86_64__)
/// Two passes of 256-bit vectors.
void orrery_rms_norm_avx2(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    float epsilon, long rows, long columns);
/// The sum of squares of one row next to the writing of the row before.
void orrery_rms_norm_avx512(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    float epsilon, long rows, long columns);
#endif

// y = e^x for `count` numbers; `x` and `y` may be the same. 0 for -inf, inf above 88.73, NaN for NaN.
// The relative error is at most 2e-7 wherever the result is a normal number, and e^0 is 1.

/// A polynomial in plain C, which the compiler turns into vectors.
void orrery_exp_portable(const float *x, float *y, long count);
#if defined(__x86_64__)
/// The polynomial in 256-bit vectors.
void orrery_exp_avx2(const float *x, float *y, long count);
/// Table and parabola in 512-bit vectors.
void orrery_exp_avx512(const float *x, float *y, long count);
#endif

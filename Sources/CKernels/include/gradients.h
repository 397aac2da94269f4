// What training does between its matrix products, forward and backward: norms, activations, cross-entropy, sums of
// columns, rows of tables, masks. Attention's gradients are in flash_attention.h.
//
// Matrices are [rows, columns] of float32 without gaps; any number of rows and columns from 1. A row's bits depend on
// that row alone. Sums over rows are those of the rows of one call: callers cut rows into chunks of a fixed number and
// add the chunks' sums in order, so that the bits do not depend on the number of threads.
#pragma once

#include <stdint.h>

// The curves of activations; x is what comes in, f(x) what goes out.
enum {
    ORRERY_CURVE_RELU,      // max(x, 0); its slope at 0 is 0
    ORRERY_CURVE_SILU,      // x / (1 + e^-x)
    ORRERY_CURVE_GELU,      // x / 2 (1 + erf(x / √2))
    ORRERY_CURVE_GELU_TANH, // x / 2 (1 + tanh(√(2/π) (x + 0.044715 x³)))
    ORRERY_CURVE_TANH,
};

// The random words of one dropout mask: Philox4x32-10 (Salmon et al. 2011) with this key and these upper counters.
// Number i takes word i / 16 mod 4 of block 16 (i / 64) + i mod 16, and is kept where the word is at least `threshold`.
typedef struct {
    uint32_t key[2], counter[3]; // the counter's words 1 to 3; word 0 is the number of the block
    uint32_t threshold;
    float scale;                 // of retained values
} orrery_mask;

#define ORRERY_GRADIENT_SET(path) \
    /* y = (x - mean) scale gain + bias with scale = 1 / √(variance + epsilon) along each row: layer norm. Where      \
       `means` is null rows are not centered and the mean counts as 0: RMS norm. Null gain: ones; null bias: zeros.   \
       means and scales are [rows]. */                                                                                \
    void orrery_norm_forward_##path(const float *x, const float *gain, const float *bias, float epsilon, float *y,    \
        float *means, float *scales, long rows, long columns);                                                        \
    /* With n = (x - mean) scale and h = dy gain: dx = scale (h - mean(h) - n mean(h n)), mean(h) only where rows are \
       centered; d_gain = Σ dy n and d_bias = Σ dy over these rows. Any of the three may be null. */                  \
    void orrery_norm_backward_##path(const float *dy, const float *x, const float *gain, const float *means,          \
        const float *scales, float *dx, float *d_gain, float *d_bias, long rows, long columns);                       \
    /* y = f(x), times factor[i] where there is one. Within 2e-7 max(1, |x|) of the formula. */                       \
    void orrery_curve_forward_##path(int curve, const float *x, const float *factor, float *y, long count);           \
    /* dx = dy f'(x), times factor where there is one, and d_factor = dy f(x). Either may be null. */                 \
    void orrery_curve_backward_##path(int curve, const float *dy, const float *x, const float *factor, float *dx,     \
        float *d_factor, long count);                                                                                 \
    /* log_sum_exp of each row of logits, and its loss: (1 - smoothing) (log_sum_exp - z[target]) + smoothing         \
       (log_sum_exp - mean(z)); 0 where the target is negative. */                                                    \
    void orrery_cross_entropy_forward_##path(const float *logits, const int32_t *targets, float smoothing,            \
        float *log_sum_exp, float *losses, long rows, long columns);                                                  \
    /* gradient = factor (e^(z - log_sum_exp) - smoothing / columns - (1 - smoothing) [target]); 0 in rows whose      \
       target is negative. It may be the memory of the logits. */                                                     \
    void orrery_cross_entropy_backward_##path(const float *logits, const int32_t *targets, float smoothing,           \
        float factor, const float *log_sum_exp, float *gradient, long rows, long columns);                            \
    /* sums[j] = Σ x[row][j]. */                                                                                      \
    void orrery_column_sums_##path(const float *x, float *sums, long rows, long columns);                             \
    /* y[row] += bias. */                                                                                             \
    void orrery_add_bias_##path(const float *bias, float *y, long rows, long columns);                                \
    /* table[indices[i]][first ..< first + count] += rows[i][the same], in the order of i. Both are `width` wide. */  \
    void orrery_scatter_add_##path(const float *rows, const int32_t *indices, long indices_count, float *table,       \
        long width, long first, long count);                                                                          \
    /* y = x scale where the mask keeps it, else 0, for the numbers from `first`, a multiple of 64, on. */            \
    void orrery_dropout_##path(const orrery_mask *mask, const float *x, float *y, long first, long count);

ORRERY_GRADIENT_SET(portable)
#if defined(__x86_64__)
ORRERY_GRADIENT_SET(avx512)
#endif

// The passes of training for any processor.
#include "gradients.h"

#include "../elementwise/curves.h"
#include "../instruction_sets.h"

#include <math.h>
#include <string.h>

#include "vectors_portable.h"

#include "each_vector.h"
#include "norm_passes.h"

#include "cross_entropy_passes.h"
#include "curve_passes.h"
#include "mask_passes.h"
#include "sum_passes.h"

void orrery_norm_forward_portable(const float *x, const float *gain, const float *bias, float epsilon, float *y,
    float *means, float *scales, long rows, long columns) {
    norm_forward(x, gain, bias, epsilon, y, means, scales, rows, columns);
}

void orrery_norm_backward_portable(const float *dy, const float *x, const float *gain, const float *means,
    const float *scales, float *dx, float *d_gain, float *d_bias, long rows, long columns) {
    norm_backward(dy, x, gain, means, scales, dx, d_gain, d_bias, rows, columns);
}

void orrery_curve_forward_portable(int curve, const float *x, const float *factor, float *y, long count) {
    curve_forward(curve, x, factor, y, count);
}

void orrery_curve_backward_portable(int curve, const float *dy, const float *x, const float *factor, float *dx,
    float *d_factor, long count) {
    curve_backward(curve, dy, x, factor, dx, d_factor, count);
}

void orrery_cross_entropy_forward_portable(const float *logits, const int32_t *targets, float smoothing,
    float *log_sum_exp, float *losses, long rows, long columns) {
    cross_entropy_forward(logits, targets, smoothing, log_sum_exp, losses, rows, columns);
}

void orrery_cross_entropy_backward_portable(const float *logits, const int32_t *targets, float smoothing, float factor,
    const float *log_sum_exp, float *gradient, long rows, long columns) {
    cross_entropy_backward(logits, targets, smoothing, factor, log_sum_exp, gradient, rows, columns);
}

void orrery_column_sums_portable(const float *x, float *sums, long rows, long columns) {
    column_sums(x, sums, rows, columns);
}

void orrery_add_bias_portable(const float *bias, float *y, long rows, long columns) {
    add_bias(bias, y, rows, columns);
}

void orrery_scatter_add_portable(const float *rows, const int32_t *indices, long indices_count, float *table,
    long width, long first, long count) {
    scatter_add(rows, indices, indices_count, table, width, first, count);
}

void orrery_dropout_portable(const orrery_mask *mask, const float *x, float *y, long first, long count) {
    dropout(mask, x, y, first, count);
}

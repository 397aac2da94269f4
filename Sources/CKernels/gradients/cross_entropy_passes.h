// Cross-entropy of classes against logits, one row after another: no row of probabilities is ever kept.
//
// Forward: the largest logit, the sum of e^(z - largest), and the loss from the two. Backward: one pass that computes
// the probability again and writes its difference to the target.
#pragma once

ORRERY_INLINE float largest_logit(const float *z, long columns) {
    vector most = SPLAT(-INFINITY);
    long j = 0;
    for (; j + LANES <= columns; j += LANES) {
        vector x = load(z + j);
        most = x > most ? x : most;
    }
    float highest = largest_of(most);
    for (; j < columns; j++) highest = z[j] > highest ? z[j] : highest;
    return highest;
}

// Σ e^(z - highest); two chains of exponentials side by side.
ORRERY_INLINE float sum_of_powers(const float *z, float highest, long columns) {
    vector even = SPLAT(0), odd = SPLAT(0);
    long j = 0;
    for (; j + 2 * LANES <= columns; j += 2 * LANES) {
        even += exp_of(load(z + j) - highest);
        odd += exp_of(load(z + j + LANES) - highest);
    }
    for (; j + LANES <= columns; j += LANES) even += exp_of(load(z + j) - highest);
    float sum = total(even + odd);
    if (j == columns) return sum;
    vector rest = exp_of(load_some(z + j, columns - j) - highest);
    for (long lane = 0; lane < columns - j; lane++) sum += rest[lane];
    return sum;
}

static void cross_entropy_forward(const float *logits, const int32_t *targets, float smoothing, float *log_sum_exp,
    float *losses, long rows, long columns) {
    for (long row = 0; row < rows; row++) {
        const float *z = logits + row * columns;
        float highest = largest_logit(z, columns);
        double logarithm = highest + log((double)sum_of_powers(z, highest, columns));
        log_sum_exp[row] = (float)logarithm;
        double loss = targets[row] < 0 ? 0 : (1 - (double)smoothing) * (logarithm - z[targets[row]]);
        if (targets[row] >= 0 && smoothing != 0) loss += smoothing * (logarithm - mean_of(z, columns));
        losses[row] = (float)loss;
    }
}

static void cross_entropy_backward(const float *logits, const int32_t *targets, float smoothing, float factor,
    const float *log_sum_exp, float *gradient, long rows, long columns) {
    const float share = smoothing / (float)columns;
    for (long row = 0; row < rows; row++) {
        const float *z = logits + row * columns;
        float *dz = gradient + row * columns;
        if (targets[row] < 0) {
            memset(dz, 0, sizeof(float) * (size_t)columns);
            continue;
        }
        EACH_VECTOR(columns, STORE(dz, factor * (exp_of(LOAD(z) - log_sum_exp[row]) - share));)
        dz[targets[row]] -= factor * (1 - smoothing);
    }
}

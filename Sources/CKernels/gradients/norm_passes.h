// Layer norm and RMS norm of one row after another, forward and backward.
//
// Forward: mean, then the squares about it, then the row: three passes over numbers that the first brings into the
// first-level cache, and nothing lost to a mean that is large next to the spread. Backward: a pass for the two sums of
// the row, next to which those of gain and bias grow, and one to write.
#pragma once

// Σ x and Σ of squares have four chains of additions: a row is too short to wait for one.
enum { CHAINS = 4 };

ORRERY_INLINE float mean_of(const float *x, long columns) {
    vector sum[CHAINS] = {SPLAT(0), SPLAT(0), SPLAT(0), SPLAT(0)};
    long j = 0;
    for (; j + CHAINS * LANES <= columns; j += CHAINS * LANES) {
        ORRERY_UNROLL for (int k = 0; k < CHAINS; k++) sum[k] += load(x + j + k * LANES);
    }
    for (; j < columns; j += LANES) sum[0] += load_some(x + j, columns - j);
    return total((sum[0] + sum[1]) + (sum[2] + sum[3])) / (float)columns;
}

ORRERY_INLINE float variance_of(const float *x, float mean, long columns) {
    vector sum[CHAINS] = {SPLAT(0), SPLAT(0), SPLAT(0), SPLAT(0)};
    long j = 0;
    for (; j + CHAINS * LANES <= columns; j += CHAINS * LANES) {
        ORRERY_UNROLL for (int k = 0; k < CHAINS; k++) {
            vector d = load(x + j + k * LANES) - mean;
            sum[k] += d * d;
        }
    }
    for (; j + LANES <= columns; j += LANES) {
        vector d = load(x + j) - mean;
        sum[0] += d * d;
    }
    float rest = 0;
    for (; j < columns; j++) rest += (x[j] - mean) * (x[j] - mean);
    return (total((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest) / (float)columns;
}

ORRERY_INLINE void write_normal(
    const float *x, const float *gain, const float *bias, float mean, float scale, float *y, long columns) {
    const int is_affine = gain && bias;
    EACH_VECTOR(columns, {
        vector value = (LOAD(x) - mean) * scale;
        if (is_affine) {
            value = value * LOAD(gain) + LOAD(bias);
        } else if (gain) {
            value *= LOAD(gain);
        } else if (bias) {
            value += LOAD(bias);
        }
        STORE(y, value);
    })
}

static void norm_forward(const float *x, const float *gain, const float *bias, float epsilon, float *y, float *means,
    float *scales, long rows, long columns) {
    for (long row = 0; row < rows; row++, x += columns, y += columns) {
        float mean = means ? mean_of(x, columns) : 0;
        float scale = 1 / sqrtf(variance_of(x, mean, columns) + epsilon);
        if (means) means[row] = mean;
        scales[row] = scale;
        write_normal(x, gain, bias, mean, scale, y, columns);
    }
}

typedef struct {
    float sum, product; // of h, and of h n
} norm_sums;

// The sums of a row, and its share of those of the columns. Lanes behind the row hold h = 0, as dy is 0 there.
ORRERY_INLINE norm_sums gather_gradients(const int has_gain, const int wants_gain, const int wants_bias,
    const float *dy, const float *x, float mean, float scale, const float *gain, float *d_gain, float *d_bias,
    long columns) {
    vector sum = SPLAT(0), product = SPLAT(0);
    EACH_VECTOR(columns, {
        vector slope = LOAD(dy);
        vector normal = (LOAD(x) - mean) * scale;
        vector h = has_gain ? slope * LOAD(gain) : slope;
        sum += h;
        product += h * normal;
        if (wants_gain) STORE(d_gain, LOAD(d_gain) + slope * normal);
        if (wants_bias) STORE(d_bias, LOAD(d_bias) + slope);
    })
    return (norm_sums){total(sum), total(product)};
}

ORRERY_INLINE void write_gradients(const int has_gain, const float *dy, const float *x, float mean, float scale,
    const float *gain, float sum, float product, float *dx, long columns) {
    EACH_VECTOR(columns, {
        vector normal = (LOAD(x) - mean) * scale;
        vector h = has_gain ? LOAD(dy) * LOAD(gain) : LOAD(dy);
        STORE(dx, ((h - sum) - normal * product) * scale);
    })
}

static void norm_backward(const float *dy, const float *x, const float *gain, const float *means, const float *scales,
    float *dx, float *d_gain, float *d_bias, long rows, long columns) {
    if (d_gain) memset(d_gain, 0, sizeof(float) * (size_t)columns);
    if (d_bias) memset(d_bias, 0, sizeof(float) * (size_t)columns);
    for (long r = 0; r < rows; r++, x += columns, dy += columns) {
        float mean = means ? means[r] : 0;
        norm_sums sums = gain && d_gain && d_bias
            ? gather_gradients(1, 1, 1, dy, x, mean, scales[r], gain, d_gain, d_bias, columns)
            : gather_gradients(
                  gain != 0, d_gain != 0, d_bias != 0, dy, x, mean, scales[r], gain, d_gain, d_bias, columns);
        if (!dx) continue;
        float sum = means ? sums.sum / (float)columns : 0, product = sums.product / (float)columns;
        write_gradients(gain != 0, dy, x, mean, scales[r], gain, sum, product, dx, columns);
        dx += columns;
    }
}

// Rows of quantized weights without vector instructions of our own: 32 products of 8-bit numbers are summed in
// integers, and only the sum is multiplied by the two scales, once a run.
#include "quantized_rows.h"

// One run: sum of w[i] · x[i], which a compiler turns into multiply-add of pairs.
static int32_t dot_run(const int8_t *w, const int8_t *x) {
    int32_t sum = 0;
    for (int i = 0; i < 32; i++) sum += w[i] * x[i];
    return sum;
}

static float q8_0_block(const uint8_t *block, const activation_group *x, long run) {
    return half_at(block) * x->scale[run] * (float)dot_run((const int8_t *)block + 2, x->q + 32 * run);
}

static float q4_0_block(const uint8_t *block, const activation_group *x, long run) {
    int8_t q[32];
    for (int i = 0; i < 16; i++) {
        q[i] = (int8_t)((block[2 + i] & 15) - 8);
        q[i + 16] = (int8_t)((block[2 + i] >> 4) - 8);
    }
    return half_at(block) * x->scale[run] * (float)dot_run(q, x->q + 32 * run);
}

// The eight runs of a block share d, dmin and, Q8_K being what it is, the scale of x: all sums stay integers.
static float q4_k_block(const uint8_t *block, const activation_group *x, long first) {
    int32_t scaled = 0, lowered = 0;
    for (int j = 0; j < 8; j++) {
        const uint8_t *bytes = block + 16 + j / 2 * 32;
        int shift = j % 2 * 4;
        int8_t q[32];
        for (int i = 0; i < 32; i++) q[i] = (int8_t)(bytes[i] >> shift & 15);
        int scale, minimum;
        q4_k_scale(block + 4, j, &scale, &minimum);
        scaled += scale * dot_run(q, x->q + 32 * (first + j));
        lowered += minimum * x->sum[first + j];
    }
    float dx = x->scale[first];
    return half_at(block) * dx * (float)scaled - half_at(block + 2) * dx * (float)lowered;
}

static float q5_k_block(const uint8_t *block, const activation_group *x, long first) {
    int32_t scaled = 0, lowered = 0;
    for (int j = 0; j < 8; j++) {
        const uint8_t *high = block + 16, *bytes = block + 48 + j / 2 * 32;
        int shift = j % 2 * 4;
        int8_t q[32];
        for (int i = 0; i < 32; i++) q[i] = (int8_t)((bytes[i] >> shift & 15) | (high[i] >> j & 1) << 4);
        int scale, minimum;
        q4_k_scale(block + 4, j, &scale, &minimum);
        scaled += scale * dot_run(q, x->q + 32 * (first + j));
        lowered += minimum * x->sum[first + j];
    }
    float dx = x->scale[first];
    return half_at(block) * dx * (float)scaled - half_at(block + 2) * dx * (float)lowered;
}

static int32_t dot_half_run(const int8_t *w, const int8_t *x) {
    int32_t sum = 0;
    for (int i = 0; i < 16; i++) sum += w[i] * x[i];
    return sum;
}

static float q6_k_block(const uint8_t *block, const activation_group *x, long first) {
    const int8_t *scales = (const int8_t *)block + 192;
    int32_t scaled = 0;
    for (int run = 0; run < 8; run++) {
        const int8_t *from = x->q + 32 * (first + run);
        int8_t q[32];
        for (int l = 0; l < 32; l++) q[l] = (int8_t)(q6_k_level(block, run / 4, run % 4, l) - 32);
        scaled += scales[2 * run] * dot_half_run(q, from) + scales[2 * run + 1] * dot_half_run(q + 16, from + 16);
    }
    return half_at(block + 208) * x->scale[first] * (float)scaled;
}

ORRERY_INLINE void multiply(
    float (*block_product)(const uint8_t *, const activation_group *, long), long size, long bytes, const uint8_t *w,
    long rows, long k, const activation_group *x, long m, float *y, long stride) {
    for (long r = 0; r < rows; r++) {
        const uint8_t *row = w + r * (k / size * bytes);
        for (long i = 0; i < m; i++) {
            float sum = 0;
            for (long b = 0; b < k / size; b++) {
                const activation_group *group = x + b * size / GROUP * m + i;
                sum += block_product(row + b * bytes, group, b * size % GROUP / 32);
            }
            y[i * stride + r] = sum;
        }
    }
}

void orrery_q8_0_portable(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q8_0_block, 32, Q8_0_BYTES, w, rows, k, x, m, y, stride);
}

void orrery_q4_0_portable(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q4_0_block, 32, Q4_0_BYTES, w, rows, k, x, m, y, stride);
}

void orrery_q4_k_portable(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q4_k_block, 256, Q4_K_BYTES, w, rows, k, x, m, y, stride);
}

void orrery_q5_k_portable(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q5_k_block, 256, Q5_K_BYTES, w, rows, k, x, m, y, stride);
}

void orrery_q6_k_portable(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q6_k_block, 256, Q6_K_BYTES, w, rows, k, x, m, y, stride);
}

// The twin of the other paths: every weight and every activation becomes a float, products are summed in double.
#include "quantized_rows.h"

enum { LARGEST_BLOCK = 256 };

static void multiply(
    orrery_row_format format, const uint8_t *w, long rows, long k, const activation_group *x, long m, float *y,
    long stride) {
    long size = orrery_row_block_size(format), bytes = orrery_row_block_bytes(format);
    for (long r = 0; r < rows; r++) {
        const uint8_t *row = w + r * (k / size * bytes);
        for (long i = 0; i < m; i++) {
            double sum = 0;
            for (long first = 0; first < k; first += size) {
                float weights[LARGEST_BLOCK];
                orrery_decode_row(format, row + first / size * bytes, size, weights);
                const activation_group *group = x + first / GROUP * m + i;
                for (long p = 0; p < size; p++) {
                    long place = first % GROUP + p;
                    sum += (double)weights[p] * ((double)group->scale[place / 32] * group->q[place]);
                }
            }
            y[i * stride + r] = (float)sum;
        }
    }
}

void orrery_q8_0_decoded(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(ORRERY_Q8_0, w, rows, k, x, m, y, stride);
}

void orrery_q4_0_decoded(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(ORRERY_Q4_0, w, rows, k, x, m, y, stride);
}

void orrery_q4_k_decoded(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(ORRERY_Q4_K, w, rows, k, x, m, y, stride);
}

void orrery_q5_k_decoded(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(ORRERY_Q5_K, w, rows, k, x, m, y, stride);
}

void orrery_q6_k_decoded(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(ORRERY_Q6_K, w, rows, k, x, m, y, stride);
}

// Distances in plain C that a compiler turns into vectors: sixteen partial sums, a row at a time.
#include "each_four.h"

enum { LANES = 16 };

ORRERY_INLINE float row_distance(const int l2, const float *query, const float *row, long dimension) {
    float sums[LANES] = {0};
    for (long p = 0; p < dimension; p += LANES) {
        long lanes = dimension - p < LANES ? dimension - p : LANES;
        for (long lane = 0; lane < lanes; lane++) {
            float difference = query[p + lane] - row[p + lane];
            sums[lane] += l2 ? difference * difference : query[p + lane] * row[p + lane];
        }
    }
    for (int width = LANES / 2; width > 0; width /= 2) {
        for (int lane = 0; lane < width; lane++) sums[lane] += sums[lane + width];
    }
    return sums[0];
}

void orrery_distances_l2_portable(const float *query, const float *base, long stride, long dimension, float offset,
    const uint32_t *slots, long count, float *distances) {
    (void)offset;
    for (long i = 0; i < count; i++) {
        distances[i] = row_distance(1, query, base + (slots ? (long)slots[i] : i) * stride, dimension);
    }
}

void orrery_distances_dot_portable(const float *query, const float *base, long stride, long dimension, float offset,
    const uint32_t *slots, long count, float *distances) {
    for (long i = 0; i < count; i++) {
        distances[i] = offset - row_distance(0, query, base + (slots ? (long)slots[i] : i) * stride, dimension);
    }
}

void orrery_code_distances_l2_portable(const int8_t *query, const int8_t *base, long stride, const uint32_t *slots,
    long count, int32_t *distances) {
    for (long i = 0; i < count; i++) {
        const int8_t *row = base + (slots ? (long)slots[i] : i) * stride;
        int32_t sum = 0;
        for (long p = 0; p < stride; p++) {
            int32_t difference = query[p] - row[p];
            sum += difference * difference;
        }
        distances[i] = sum;
    }
}

void orrery_code_distances_dot_portable(const int8_t *query, const int8_t *base, long stride, const uint32_t *slots,
    long count, int32_t *distances) {
    for (long i = 0; i < count; i++) {
        const int8_t *row = base + (slots ? (long)slots[i] : i) * stride;
        int32_t sum = 0;
        for (long p = 0; p < stride; p++) sum += query[p] * row[p];
        distances[i] = -sum;
    }
}

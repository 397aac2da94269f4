// A^T A times a block of columns, row of A by row: z = a_r in is gathered, then a_r^T z is scattered, so that A is read
// once and A in is never kept.
#include "sparse_gram.h"

void orrery_sparse_gram_portable(
    const int64_t *starts, const uint32_t *columns, const float *values, long rows, const float *in, float *out) {
    for (long row = 0; row < rows; row++) {
        float z[ORRERY_SPARSE_COLUMNS] = {0};
        for (int64_t entry = starts[row]; entry < starts[row + 1]; entry++) {
            const float *source = in + (size_t)columns[entry] * ORRERY_SPARSE_COLUMNS;
            float value = values[entry];
            for (int i = 0; i < ORRERY_SPARSE_COLUMNS; i++) z[i] += value * source[i];
        }
        for (int64_t entry = starts[row]; entry < starts[row + 1]; entry++) {
            float *target = out + (size_t)columns[entry] * ORRERY_SPARSE_COLUMNS;
            float value = values[entry];
            for (int i = 0; i < ORRERY_SPARSE_COLUMNS; i++) target[i] += value * z[i];
        }
    }
}

void orrery_weighted_rows_portable(
    const uint32_t *index, const float *weights, long count, const float *rows, long width, float *y) {
    for (long column = 0; column < width; column++) y[column] = 0;
    for (long i = 0; i < count; i++) {
        const float *row = rows + (size_t)index[i] * (size_t)width;
        float weight = weights[i];
        for (long column = 0; column < width; column++) y[column] += weight * row[column];
    }
}

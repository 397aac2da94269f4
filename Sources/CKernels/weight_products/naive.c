// The textbook: three loops over weights in float32, one sum after the other.
#include "../include/weight_products.h"

void orrery_decoded_product(
    const float *w, long rows, long columns, const float *x, long x_row, long m, float *y, long y_row) {
    for (long i = 0; i < m; i++) {
        for (long row = 0; row < rows; row++) {
            float sum = 0;
            for (long k = 0; k < columns; k++) sum += x[i * x_row + k] * w[row * columns + k];
            y[i * y_row + row] = sum;
        }
    }
}

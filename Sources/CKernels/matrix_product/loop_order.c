// The same sums with the two inner loops exchanged: a row of C grows by a multiple of a row of B at a time.
//
// The innermost loop now runs along rows of B and C, which lie one element after the other in memory, and its steps do
// not wait for each other: the compiler makes vectors of them. But each row of C is read and written `inner` times.
#include "matrix_product.h"

static void add_multiple(float *restrict c, float factor, const float *restrict b, long columns) {
    for (long j = 0; j < columns; j++) c[j] += factor * b[j];
}

static void add_multiple_strided(float *restrict c, float factor, const float *b, long stride, long columns) {
    for (long j = 0; j < columns; j++) c[j] += factor * b[j * stride];
}

void orrery_sgemm_loop_order(const orrery_sgemm *x) {
    for (long i = 0; i < x->rows; i++) {
        float *c = x->c + i * x->c_row;
        for (long j = 0; !x->accumulate && j < x->columns; j++) c[j] = 0;
        for (long p = 0; p < x->inner; p++) {
            float factor = x->a[i * x->a_row + p * x->a_column];
            const float *b = x->b + p * x->b_row;
            if (x->b_column == 1) {
                add_multiple(c, factor, b, x->columns);
            } else {
                add_multiple_strided(c, factor, b, x->b_column, x->columns);
            }
        }
    }
}

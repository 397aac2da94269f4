// The textbook: every element of C is the dot product of a row of A with a column of B.
//
// The column walks through memory with the stride of a row, so that each step of the innermost loop takes a new cache
// line, and the sum is one chain of additions that waits for itself.
#include "matrix_product.h"

void orrery_sgemm_naive(const orrery_sgemm *x) {
    for (long i = 0; i < x->rows; i++) {
        for (long j = 0; j < x->columns; j++) {
            float sum = 0;
            for (long p = 0; p < x->inner; p++) {
                sum += x->a[i * x->a_row + p * x->a_column] * x->b[p * x->b_row + j * x->b_column];
            }
            float *c = &x->c[i * x->c_row + j];
            *c = x->accumulate ? *c + sum : sum;
        }
    }
}

void orrery_dgemm_naive(const orrery_dgemm *x) {
    for (long i = 0; i < x->rows; i++) {
        for (long j = 0; j < x->columns; j++) {
            double sum = 0;
            for (long p = 0; p < x->inner; p++) {
                sum += x->a[i * x->a_row + p * x->a_column] * x->b[p * x->b_row + j * x->b_column];
            }
            double *c = &x->c[i * x->c_row + j];
            *c = x->accumulate ? *c + sum : sum;
        }
    }
}

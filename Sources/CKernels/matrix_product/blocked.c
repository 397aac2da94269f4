// Blocks: the same loops over pieces of A, B and C that fit into the caches together.
//
// A block of B, 128 x 256 elements or 128 KiB, is read from memory once for each block of rows and then serves all of
// these from the second-level cache; four steps of the sum at a time write C a quarter as often.
#include "matrix_product.h"

enum { ROWS = 64, DEPTH = 128, COLUMNS = 256 };

static long least(long a, long b) { return a < b ? a : b; }

// One row of C in the block: c[0..<columns] += sum over p of a[p] * b[p][0..<columns].
static void add_row(
    float *restrict c, long columns, const float *a, long a_column, long depth, const float *b, long b_row,
    long b_column) {
    long p = 0;
    for (; b_column == 1 && p + 4 <= depth; p += 4) {
        const float *b0 = b + p * b_row, *b1 = b0 + b_row, *b2 = b1 + b_row, *b3 = b2 + b_row;
        float a0 = a[p * a_column], a1 = a[(p + 1) * a_column];
        float a2 = a[(p + 2) * a_column], a3 = a[(p + 3) * a_column];
        for (long j = 0; j < columns; j++) c[j] = c[j] + a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
    }
    for (; p < depth; p++) {
        float factor = a[p * a_column];
        for (long j = 0; j < columns; j++) c[j] += factor * b[p * b_row + j * b_column];
    }
}

void orrery_sgemm_blocked(const orrery_sgemm *x) {
    for (long i = 0; !x->accumulate && i < x->rows; i++) {
        for (long j = 0; j < x->columns; j++) x->c[i * x->c_row + j] = 0;
    }
    for (long row = 0; row < x->rows; row += ROWS) {
        for (long p = 0; p < x->inner; p += DEPTH) {
            long depth = least(DEPTH, x->inner - p);
            for (long j = 0; j < x->columns; j += COLUMNS) {
                long columns = least(COLUMNS, x->columns - j);
                for (long i = row; i < least(row + ROWS, x->rows); i++) {
                    add_row(
                        x->c + i * x->c_row + j, columns, x->a + i * x->a_row + p * x->a_column, x->a_column, depth,
                        x->b + p * x->b_row + j * x->b_column, x->b_row, x->b_column);
                }
            }
        }
    }
}

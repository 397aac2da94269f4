// Root mean square of every row of x [rows, columns].
#include <math.h>

// The textbook: one row at a time, one sum.
void rms_reference(long rows, long columns, const float *x, float *y) {
    for (long r = 0; r < rows; r++) {
        double sum = 0;
        for (long c = 0; c < columns; c++) sum += (double)x[r * columns + c] * x[r * columns + c];
        y[r] = (float)sqrt(sum / columns);
    }
}

// Yours: sixteen sums, so that the additions do not wait for each other and the compiler can use vectors.
void rms(long rows, long columns, const float *x, float *y) {
    for (long r = 0; r < rows; r++) {
        float sums[16] = {0};
        const float *row = x + r * columns;
        long c = 0;
        for (; c + 16 <= columns; c += 16) {
            for (int lane = 0; lane < 16; lane++) sums[lane] += row[c + lane] * row[c + lane];
        }
        for (; c < columns; c++) sums[0] += row[c] * row[c];
        float sum = 0;
        for (int lane = 0; lane < 16; lane++) sum += sums[lane];
        y[r] = sqrtf(sum / columns);
    }
}

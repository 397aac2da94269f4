// Softmax as a textbook has it: three passes over each row, the exponential from the C library.
//
//   max = max(x)        so that no exponential overflows
//   y = e^(x - max),  sum += y
//   y = y / sum
//
// expf takes one value. The compiler has no vector form of it, so this rung computes one exponential at a
// time, whatever vectors the processor has.
#include "rows.h"

#include <math.h>

void orrery_softmax_libm(const float *x, long x_stride, float *y, long y_stride, long rows, long columns) {
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        float max = x[0];
        for (long i = 1; i < columns; i++) {
            if (x[i] > max) max = x[i];
        }
        double sum = 0;
        for (long i = 0; i < columns; i++) {
            y[i] = expf(x[i] - max);
            sum += y[i];
        }
        float scale = (float)(1 / sum);
        for (long i = 0; i < columns; i++) y[i] *= scale;
    }
}

// Softmax in plain C that a compiler turns into vectors: no call within a loop, and sums that may be taken in any lane.
//
// A sum of floats has one order, so a loop that adds to one variable stays scalar. Sixteen partial results, one a
// position within a block of sixteen columns, say that no order is meant.
#include "rows.h"

#include "exp_portable.h"

enum { LANES = 16 };

static float row_maximum(const float *x, long columns) {
    float lanes[LANES];
    for (int lane = 0; lane < LANES; lane++) lanes[lane] = x[0];
    long i = 0;
    for (; i + LANES <= columns; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) lanes[lane] = x[i + lane] > lanes[lane] ? x[i + lane] : lanes[lane];
    }
    for (; i < columns; i++) lanes[0] = x[i] > lanes[0] ? x[i] : lanes[0];
    for (int lane = 1; lane < LANES; lane++) lanes[0] = lanes[lane] > lanes[0] ? lanes[lane] : lanes[0];
    return lanes[0];
}

// y = e^(x - max); returns the sum.
static float row_exponentials(const float *x, float *y, float max, long columns) {
    float lanes[LANES] = {0};
    long i = 0;
    for (; i + LANES <= columns; i += LANES) {
        float block[LANES];
        for (int lane = 0; lane < LANES; lane++) block[lane] = orrery_exp_portable_one(x[i + lane] - max);
        for (int lane = 0; lane < LANES; lane++) lanes[lane] += block[lane];
        memcpy(y + i, block, sizeof block);
    }
    for (; i < columns; i++) {
        y[i] = orrery_exp_portable_one(x[i] - max);
        lanes[0] += y[i];
    }
    double sum = 0;
    for (int lane = 0; lane < LANES; lane++) sum += lanes[lane];
    return (float)sum;
}

void orrery_softmax_portable(const float *x, long x_stride, float *y, long y_stride, long rows, long columns) {
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        float scale = 1 / row_exponentials(x, y, row_maximum(x, columns), columns);
        for (long i = 0; i < columns; i++) y[i] *= scale;
    }
}

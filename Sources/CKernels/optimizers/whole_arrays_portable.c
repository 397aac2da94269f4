// Moving averages, bfloat16 copies and sums of squares, one number at a time.
#include "optimizer_steps.h"

#include <string.h>

enum { SUMS = 32 };

void orrery_move_toward_portable(float share, const float *x, float *y, long count) {
    for (long i = 0; i < count; i++) y[i] += (x[i] - y[i]) * share;
}

void orrery_round_bf16_portable(const float *x, float *y, long count) {
    for (long i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        int is_nan = (bits & 0x7fffffff) > 0x7f800000;
        uint32_t nearest = is_nan ? bits | 0x00400000 : bits + 0x7fff + (bits >> 16 & 1);
        nearest &= 0xffff0000;
        memcpy(y + i, &nearest, sizeof nearest);
    }
}

static double by_halves(double sums[SUMS]) {
    for (int half = SUMS / 2; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) sums[i] += sums[i + half];
    }
    return sums[0];
}

double orrery_sum_of_squares_portable(const float *x, long count) {
    double sums[SUMS] = {0};
    for (long i = 0; i < count; i++) sums[i % SUMS] += (double)x[i] * x[i];
    return by_halves(sums);
}

double orrery_sum_of_squared_differences_portable(const float *x, const float *y, long count) {
    double sums[SUMS] = {0};
    for (long i = 0; i < count; i++) {
        double difference = (double)x[i] - y[i];
        double square = difference * difference;
        sums[i % SUMS] += square;
    }
    return by_halves(sums);
}

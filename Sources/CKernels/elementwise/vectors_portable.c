// Sums, multiples, soft caps and the largest number of a row, one number at a time.
#include "elementwise.h"

#include "../rows/exp_portable.h"
#include "curves.h"

#include <math.h>

void orrery_add_portable(const float *x, float *y, long count) {
    for (long i = 0; i < count; i++) y[i] += x[i];
}

void orrery_add_scaled_portable(float factor, const float *x, float *y, long count) {
    for (long i = 0; i < count; i++) y[i] += factor * x[i];
}

void orrery_scale_portable(float factor, float *x, long count) {
    for (long i = 0; i < count; i++) x[i] *= factor;
}

ORRERY_INLINE float hyperbolic_tangent(float y) {
    float size = fabsf(y), square = y * y;
    float q = ORRERY_TANH_4;
    q = q * square + ORRERY_TANH_3;
    q = q * square + ORRERY_TANH_2;
    q = q * square + ORRERY_TANH_1;
    q = q * square + ORRERY_TANH_0;
    float near = y + y * square * q;
    float far = copysignf(1 - 2 / (orrery_exp_portable_one(2 * size) + 1), y);
    return size > ORRERY_TANH_NEAR ? far : near;
}

void orrery_softcap_portable(float cap, float *x, long count) {
    for (long i = 0; i < count; i++) x[i] = cap * hyperbolic_tangent(x[i] / cap);
}

long orrery_argmax_portable(const float *x, long count) {
    long best = 0;
    float largest = -INFINITY;
    for (long i = 0; i < count; i++) {
        if (x[i] > largest) {
            largest = x[i];
            best = i;
        }
    }
    return best;
}

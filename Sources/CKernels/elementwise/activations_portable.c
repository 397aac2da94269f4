// The activations one number at a time, written so that a compiler can turn the loops into vectors.
#include "elementwise.h"

#include "../rows/exp_portable.h"
#include "curves.h"

#include <math.h>

ORRERY_INLINE float silu(float x) { return x / (1 + orrery_exp_portable_one(-x)); }

ORRERY_INLINE float gelu_tanh(float x) {
    float angle = ORRERY_GELU_SLOPE * (x + ORRERY_GELU_CUBIC * x * x * x);
    return x / (1 + orrery_exp_portable_one(-angle));
}

ORRERY_INLINE float gelu(float x) {
    float t = fabsf(x) * ORRERY_SQRT_HALF;
    float reciprocal = 1 / (t + 2);
    float s = (t - 2) * reciprocal;
    float p = ORRERY_ERFC_8;
    p = p * s + ORRERY_ERFC_7;
    p = p * s + ORRERY_ERFC_6;
    p = p * s + ORRERY_ERFC_5;
    p = p * s + ORRERY_ERFC_4;
    p = p * s + ORRERY_ERFC_3;
    p = p * s + ORRERY_ERFC_2;
    p = p * s + ORRERY_ERFC_1;
    p = p * s + ORRERY_ERFC_0;
    float tail = 4 * reciprocal * p * orrery_exp_portable_one(-0.5f * x * x);
    float below = 0.5f * x * tail;
    // Beyond 14 the tail is not a float: it counts as 0 there, infinity included.
    if (t > 10) return x > 0 ? x : -0.0f;
    return x > 0 ? x - below : below;
}

ORRERY_INLINE float relu(float x) { return x > 0 ? x : 0; }

#define LOOPS(name, curve)                                                                                             \
    void name(const float *x, const float *factor, float *y, long count) {                                             \
        if (factor) {                                                                                                  \
            for (long i = 0; i < count; i++) y[i] = curve(x[i]) * factor[i];                                           \
        } else {                                                                                                       \
            for (long i = 0; i < count; i++) y[i] = curve(x[i]);                                                       \
        }                                                                                                              \
    }

LOOPS(orrery_silu_portable, silu)
LOOPS(orrery_gelu_tanh_portable, gelu_tanh)
LOOPS(orrery_gelu_portable, gelu)
LOOPS(orrery_relu_portable, relu)

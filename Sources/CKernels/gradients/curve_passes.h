// Activations and their slopes, computed together from one exponential.
//
//   logistic s = 1 / (1 + e^-x):   silu = x s,   slope s (1 + x (1 - s))
//   gelu_tanh = x s(2u) with u = √(2/π) (x + 0.044715 x³),   slope s + x s (1 - s) 2u'
//   gelu = x Φ(x),   slope Φ(x) + x φ(x)
//   tanh = ± (1 - q) / (1 + q) with q = e^-2|x|,   slope 4 q / (1 + q)²
//
// The backward computes the curve again from its input: nothing but x is kept.
#pragma once

typedef struct {
    vector value, slope;
} curve_point;

ORRERY_INLINE curve_point relu_at(vector x) {
    return (curve_point){x <= 0 ? SPLAT(0) : x, x <= 0 ? SPLAT(0) : SPLAT(1)}; // NaN stays
}

// s = 1 / (1 + e^-x), and 1 - s without a difference: what is left of 1 keeps its digits.
typedef struct {
    vector share, rest;
} logistic_pair;

ORRERY_INLINE logistic_pair logistic(vector x) {
    vector bounded = x < SPLAT(-87.0f) ? SPLAT(-87.0f) : x; // e^87 is a float, and its reciprocal a normal one
    vector power = exp_of(-bounded);
    vector share = 1.0f / (1.0f + power);
    return (logistic_pair){share, power * share};
}

ORRERY_INLINE curve_point silu_at(vector x) {
    logistic_pair s = logistic(x);
    return (curve_point){x * s.share, s.share * (1.0f + x * s.rest)};
}

ORRERY_INLINE curve_point gelu_tanh_at(vector x) {
    vector square = x * x;
    square = square > SPLAT(1e4f) ? SPLAT(1e4f) : square; // beyond it the curve is straight; the cube stays a float
    logistic_pair s = logistic(x * (ORRERY_GELU_SLOPE + (ORRERY_GELU_SLOPE * ORRERY_GELU_CUBIC) * square));
    vector bend = ORRERY_GELU_SLOPE + (3 * ORRERY_GELU_SLOPE * ORRERY_GELU_CUBIC) * square;
    vector far = x * s.rest * bend; // rest first: it is 0 if the bend grows large
    return (curve_point){x * s.share, s.share + s.share * far};
}

// erfc(t) = 4 / (t + 2) P(s) e^-t² as in curves.h.
ORRERY_INLINE curve_point gelu_at(vector x) {
    vector t = absolute(x) * ORRERY_SQRT_HALF;
    vector reciprocal = 1.0f / (t + 2.0f);
    vector s = (t - 2.0f) * reciprocal;
    vector p = SPLAT(ORRERY_ERFC_8);
    p = p * s + ORRERY_ERFC_7;
    p = p * s + ORRERY_ERFC_6;
    p = p * s + ORRERY_ERFC_5;
    p = p * s + ORRERY_ERFC_4;
    p = p * s + ORRERY_ERFC_3;
    p = p * s + ORRERY_ERFC_2;
    p = p * s + ORRERY_ERFC_1;
    p = p * s + ORRERY_ERFC_0;
    vector bell = exp_of(x * x * -0.5f);
    vector tail = 2.0f * reciprocal * p * bell; // half of erfc
    vector share = x > 0 ? 1.0f - tail : tail;
    return (curve_point){x * share, share + x * bell * 0.398942280401f};
}

// x + x³ Q(x²) where the exponential would lose digits, as in curves.h.
ORRERY_INLINE curve_point tanh_at(vector x) {
    vector size = absolute(x), square = x * x;
    vector q = SPLAT(ORRERY_TANH_4);
    q = q * square + ORRERY_TANH_3;
    q = q * square + ORRERY_TANH_2;
    q = q * square + ORRERY_TANH_1;
    q = q * square + ORRERY_TANH_0;
    vector shrunk = exp_of(size * -2.0f);
    vector reciprocal = 1.0f / (1.0f + shrunk);
    vector far = (1.0f - shrunk) * reciprocal;
    vector value = size > SPLAT(ORRERY_TANH_NEAR) ? (x < 0 ? -far : far) : x + x * square * q;
    return (curve_point){value, 4.0f * shrunk * reciprocal * reciprocal};
}

ORRERY_INLINE curve_point curve_at(int curve, vector x) {
    switch (curve) {
    case ORRERY_CURVE_RELU: return relu_at(x);
    case ORRERY_CURVE_SILU: return silu_at(x);
    case ORRERY_CURVE_GELU: return gelu_at(x);
    case ORRERY_CURVE_GELU_TANH: return gelu_tanh_at(x);
    default: return tanh_at(x);
    }
}

ORRERY_INLINE void forward_of(const int curve, const float *x, const float *factor, float *y, long count) {
    EACH_VECTOR(count, {
        vector value = curve_at(curve, LOAD(x)).value;
        if (factor) value *= LOAD(factor);
        STORE(y, value);
    })
}

ORRERY_INLINE void backward_of(
    const int curve, const float *dy, const float *x, const float *factor, float *dx, float *d_factor, long count) {
    EACH_VECTOR(count, {
        curve_point point = curve_at(curve, LOAD(x));
        vector gradient = LOAD(dy);
        if (d_factor) STORE(d_factor, gradient * point.value);
        if (dx) STORE(dx, gradient * point.slope * (factor ? LOAD(factor) : SPLAT(1)));
    })
}

static void curve_forward(int curve, const float *x, const float *factor, float *y, long count) {
    switch (curve) {
    case ORRERY_CURVE_RELU: return forward_of(ORRERY_CURVE_RELU, x, factor, y, count);
    case ORRERY_CURVE_SILU: return forward_of(ORRERY_CURVE_SILU, x, factor, y, count);
    case ORRERY_CURVE_GELU: return forward_of(ORRERY_CURVE_GELU, x, factor, y, count);
    case ORRERY_CURVE_GELU_TANH: return forward_of(ORRERY_CURVE_GELU_TANH, x, factor, y, count);
    default: return forward_of(ORRERY_CURVE_TANH, x, factor, y, count);
    }
}

static void curve_backward(
    int curve, const float *dy, const float *x, const float *factor, float *dx, float *d_factor, long count) {
    switch (curve) {
    case ORRERY_CURVE_RELU: return backward_of(ORRERY_CURVE_RELU, dy, x, factor, dx, d_factor, count);
    case ORRERY_CURVE_SILU: return backward_of(ORRERY_CURVE_SILU, dy, x, factor, dx, d_factor, count);
    case ORRERY_CURVE_GELU: return backward_of(ORRERY_CURVE_GELU, dy, x, factor, dx, d_factor, count);
    case ORRERY_CURVE_GELU_TANH: return backward_of(ORRERY_CURVE_GELU_TANH, dy, x, factor, dx, d_factor, count);
    default: return backward_of(ORRERY_CURVE_TANH, dy, x, factor, dx, d_factor, count);
    }
}

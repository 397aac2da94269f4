// The vocabulary of the passes on any processor: the compiler's own vectors of four.
#pragma once

#include "../rows/exp_portable.h"

enum { LANES = 4 };

typedef float vector __attribute__((ext_vector_type(4)));
typedef float loose_vector __attribute__((ext_vector_type(4), aligned(4)));
typedef uint32_t words __attribute__((ext_vector_type(4)));
typedef uint64_t wide_words __attribute__((ext_vector_type(4)));

#define SPLAT(number) ((vector)(number))

ORRERY_INLINE vector load(const float *from) { return *(const loose_vector *)from; }
ORRERY_INLINE void store(float *to, vector x) { *(loose_vector *)to = x; }

// The first `count` numbers, and 0 in the lanes behind them.
ORRERY_INLINE vector load_some(const float *from, long count) {
    if (count >= LANES) return load(from);
    vector x = SPLAT(0);
    memcpy(&x, from, sizeof(float) * (size_t)count);
    return x;
}

ORRERY_INLINE void store_some(float *to, vector x, long count) {
    memcpy(to, &x, sizeof(float) * (size_t)(count < LANES ? count : LANES));
}

ORRERY_INLINE float total(vector x) { return (x[0] + x[1]) + (x[2] + x[3]); }

ORRERY_INLINE float largest_of(vector x) {
    float a = x[0] > x[1] ? x[0] : x[1], b = x[2] > x[3] ? x[2] : x[3];
    return a > b ? a : b;
}

ORRERY_INLINE vector exp_of(vector x) {
    vector y;
    ORRERY_UNROLL for (int lane = 0; lane < LANES; lane++) y[lane] = orrery_exp_portable_one(x[lane]);
    return y;
}

ORRERY_INLINE vector absolute(vector x) { return __builtin_elementwise_abs(x); }

// The upper and lower words of four products of 32 by 32 bits.
ORRERY_INLINE words multiply(words a, uint32_t factor, words *low) {
    wide_words product = __builtin_convertvector(a, wide_words) * (uint64_t)factor;
    *low = __builtin_convertvector(product, words);
    return __builtin_convertvector(product >> 32, words);
}

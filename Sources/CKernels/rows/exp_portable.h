// The exponential as a compiler can turn it into vectors: no call, no branch.
//
//   e^x = 2^n e^r,   n = x log2(e) rounded,   r = x - n ln(2),   |r| <= ln(2) / 2
//
// e^r is a polynomial of degree 6, relative error 3e-9 (minimax, with the first two coefficients 1). 2^n is put
// together from two powers, so that it may be smaller than the smallest normal number and may reach infinity.
#pragma once

#include "../instruction_sets.h"

#include <stdint.h>
#include <string.h>

#define ORRERY_ROUND_TO_INTEGER 0x1.8p23f // floats there are integers

// 2^n for n in -126..127.
ORRERY_INLINE float orrery_power_of_two_portable(int32_t n) {
    int32_t bits = (int32_t)((uint32_t)(n + 127) << 23);
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

// e^x for every float; comparisons are written so that NaN passes through.
ORRERY_INLINE float orrery_exp_portable_one(float x) {
    x = x < -105.0f ? -105.0f : x;
    x = x > 90.0f ? 90.0f : x;
    float n = (x * 0x1.715476p+0f + ORRERY_ROUND_TO_INTEGER) - ORRERY_ROUND_TO_INTEGER;
    float r = x - n * 0x1.62e4p-1f; // the upper 15 bits of ln(2): product and difference are exact
    r = r - n * 0x1.7f7d1cp-20f;    // the rest of them
    float p = 0x1.6a244cp-10f;
    p = p * r + 0x1.1239d4p-7f;
    p = p * r + 0x1.5558f2p-5f;
    p = p * r + 0x1.555492p-3f;
    p = p * r + 0x1.fffffcp-2f;
    p = p * (r * r) + r + 1.0f;
    int32_t whole = (int32_t)(n == n ? n : 0.0f);
    int32_t half = whole >> 1;
    return p * orrery_power_of_two_portable(half) * orrery_power_of_two_portable(whole - half);
}

// The exponential of 16 floats: a table of 32 powers of two in two registers, and a parabola between them.
//
//   e^x = 2^n 2^r,   n = x log2(e) rounded to a multiple of 1/32,   |r| <= 1/64
//       = 2^floor(n) T[j] p(r),   j = the five bits of n behind the point,   T[j] = 2^(j/32)
//
// Adding 1.5 * 2^18 to a number below 2^17 rounds it to a multiple of 1/32 and leaves those five bits at the bottom of
// the sum's mantissa, just where vpermi2ps looks for its index: rounding and lookup cost an addition and a shuffle.
// p(r) = 1 + c1 r + c2 r^2 is the minimax parabola: relative error 5.3e-8.
//
// Shuffles and additions have ports of their own next to the two of the multiplications, so that a table with a parabola
// is cheaper than the polynomial of degree 5 or 6 that a single octave needs.
#pragma once

#include "../instruction_sets.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

// T[j] = 2^(j/32), rounded to nearest.
static const float orrery_powers_of_two[32] __attribute__((aligned(64))) = {
    0x1p+0f,        0x1.059b0ep+0f, 0x1.0b5586p+0f, 0x1.11301ep+0f, 0x1.172b84p+0f, 0x1.1d4874p+0f, 0x1.2387a6p+0f,
    0x1.29e9ep+0f,  0x1.306fep+0f,  0x1.371a74p+0f, 0x1.3dea64p+0f, 0x1.44e086p+0f, 0x1.4bfdaep+0f, 0x1.5342b6p+0f,
    0x1.5ab07ep+0f, 0x1.6247ecp+0f, 0x1.6a09e6p+0f, 0x1.71f75ep+0f, 0x1.7a1148p+0f, 0x1.82589ap+0f, 0x1.8ace54p+0f,
    0x1.93737cp+0f, 0x1.9c4918p+0f, 0x1.a5503cp+0f, 0x1.ae89fap+0f, 0x1.b7f77p+0f,  0x1.c199bep+0f, 0x1.cb720ep+0f,
    0x1.d5818ep+0f, 0x1.dfc974p+0f, 0x1.ea4afap+0f, 0x1.f50766p+0f,
};

#define ORRERY_LOG2_E 0x1.715476p+0f
#define ORRERY_ROUND_TO_32NDS 393216.0f // 1.5 * 2^18: floats there are multiples of 1/32

// T[the five lowest bits of each lane].
ORRERY_INLINE __m512 orrery_power_of_two(__m512 rounded) {
    __m512 low = _mm512_load_ps(orrery_powers_of_two);
    __m512 high = _mm512_load_ps(orrery_powers_of_two + 16);
    return _mm512_permutex2var_ps(low, _mm512_castps_si512(rounded), high);
}

// e^x for x <= 65536 and NaN: 0 for -inf and below -104, inf above 88.73, NaN for NaN.
// The relative error is at most 1.7e-7 wherever the result is a normal number, and e^0 is 1.
ORRERY_INLINE __m512 orrery_exp_ps(__m512 x) {
    x = _mm512_max_ps(_mm512_set1_ps(-104.0f), x); // the NaN of the second operand survives
    __m512 round = _mm512_set1_ps(ORRERY_ROUND_TO_32NDS);
    __m512 rounded = _mm512_fmadd_ps(x, _mm512_set1_ps(ORRERY_LOG2_E), round);
    __m512 n = _mm512_sub_ps(rounded, round);
    // r = x - n ln(2), with ln(2) in two parts: the first difference is exact.
    __m512 r = _mm512_fnmadd_ps(n, _mm512_set1_ps(0x1.62e43p-1f), x);
    r = _mm512_fnmadd_ps(n, _mm512_set1_ps(-0x1.05c61p-29f), r);
    __m512 slope = _mm512_fmadd_ps(r, _mm512_set1_ps(0x1.fffffep-2f), _mm512_set1_ps(0x1.0000f6p+0f));
    __m512 power = orrery_power_of_two(rounded);
    return _mm512_scalef_ps(_mm512_fmadd_ps(power, _mm512_mul_ps(slope, r), power), n);
}

ORRERY_END

#endif

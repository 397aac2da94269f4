// The exponential of 8 floats, as in exp_portable.h: a polynomial of degree 6 within one octave.
#pragma once

#include "../instruction_sets.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX2

// 2^n for n in -126..127.
ORRERY_INLINE __m256 orrery_power_of_two_avx2(__m256i n) {
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(n, _mm256_set1_epi32(127)), 23));
}

// e^x for every float: 0 for -inf, inf above 88.73, NaN for NaN. Relative error at most 1.2e-7 in the normal range.
ORRERY_INLINE __m256 orrery_exp_avx2_8(__m256 x) {
    x = _mm256_max_ps(_mm256_set1_ps(-105.0f), x); // the NaN of the second operand survives
    x = _mm256_min_ps(_mm256_set1_ps(90.0f), x);
    __m256 n = _mm256_mul_ps(x, _mm256_set1_ps(0x1.715476p+0f));
    n = _mm256_round_ps(n, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0x1.62e43p-1f), x);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-0x1.05c61p-29f), r);
    __m256 p = _mm256_set1_ps(0x1.6a244cp-10f);
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0x1.1239d4p-7f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0x1.5558f2p-5f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0x1.555492p-3f));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0x1.fffffcp-2f));
    p = _mm256_add_ps(_mm256_fmadd_ps(p, _mm256_mul_ps(r, r), r), _mm256_set1_ps(1.0f));
    // Two powers, since one alone cannot reach the numbers below 2^-126, nor those from 2^127.5.
    __m256i whole = _mm256_cvtps_epi32(n);
    __m256i half = _mm256_srai_epi32(whole, 1);
    p = _mm256_mul_ps(p, orrery_power_of_two_avx2(half));
    return _mm256_mul_ps(p, orrery_power_of_two_avx2(_mm256_sub_epi32(whole, half)));
}

ORRERY_END

#endif

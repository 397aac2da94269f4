// The activations of sixteen numbers at once.
#include "elementwise.h"

#include "../rows/exp_avx512.h"
#include "curves.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

ORRERY_INLINE __m512 set(float number) { return _mm512_set1_ps(number); }

// x / (1 + e^-angle). Where the exponential overflows the quotient is 0 with the sign of x, as it should be; where
// both are infinite (x = -inf) it is not a number.
ORRERY_INLINE __m512 logistic_share(__m512 x, __m512 angle) {
    __m512 minus = _mm512_sub_ps(_mm512_setzero_ps(), angle);
    minus = _mm512_min_ps(set(60000.0f), minus); // what orrery_exp_ps takes; NaN passes
    return _mm512_div_ps(x, _mm512_add_ps(set(1), orrery_exp_ps(minus)));
}

ORRERY_INLINE __m512 silu(__m512 x) { return logistic_share(x, x); }

ORRERY_INLINE __m512 gelu_tanh(__m512 x) {
    __m512 cube = _mm512_mul_ps(_mm512_mul_ps(x, x), x);
    __m512 bent = _mm512_fmadd_ps(cube, set(ORRERY_GELU_CUBIC), x);
    return logistic_share(x, _mm512_mul_ps(bent, set(ORRERY_GELU_SLOPE)));
}

ORRERY_INLINE __m512 gelu(__m512 x) {
    __m512 t = _mm512_mul_ps(_mm512_abs_ps(x), set(ORRERY_SQRT_HALF));
    __m512 reciprocal = _mm512_div_ps(set(1), _mm512_add_ps(t, set(2)));
    __m512 s = _mm512_mul_ps(_mm512_sub_ps(t, set(2)), reciprocal);
    __m512 p = set(ORRERY_ERFC_8);
    p = _mm512_fmadd_ps(p, s, set(ORRERY_ERFC_7));
    p = _mm512_fmadd_ps(p, s, set(ORRERY_ERFC_6));
    p = _mm512_fmadd_ps(p, s, set(ORRERY_ERFC_5));
    p = _mm512_fmadd_ps(p, s, set(ORRERY_ERFC_4));
    p = _mm512_fmadd_ps(p, s, set(ORRERY_ERFC_3));
    p = _mm512_fmadd_ps(p, s, set(ORRERY_ERFC_2));
    p = _mm512_fmadd_ps(p, s, set(ORRERY_ERFC_1));
    p = _mm512_fmadd_ps(p, s, set(ORRERY_ERFC_0));
    __m512 bell = orrery_exp_ps(_mm512_mul_ps(_mm512_mul_ps(x, x), set(-0.5f)));
    __m512 tail = _mm512_mul_ps(_mm512_mul_ps(_mm512_mul_ps(set(4), reciprocal), p), bell);
    // Beyond 14 the tail is not a float: it counts as 0 there, infinity included.
    __mmask16 far = _mm512_cmp_ps_mask(t, set(10), _CMP_GT_OQ);
    __mmask16 positive = _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_GT_OQ);
    __m512 below = _mm512_mul_ps(_mm512_mul_ps(set(0.5f), x), tail);
    __m512 above = _mm512_sub_ps(x, below);
    __m512 y = _mm512_mask_blend_ps(positive, below, above);
    y = _mm512_mask_mov_ps(y, far & positive, x);
    return _mm512_mask_mov_ps(y, far & (__mmask16)~positive, set(-0.0f));
}

ORRERY_INLINE __m512 relu(__m512 x) { return _mm512_max_ps(x, _mm512_setzero_ps()); }

// The last vector is masked.
#define LOOP(name, curve)                                                                                              \
    void name(const float *x, const float *factor, float *y, long count) {                                             \
        for (long i = 0; i < count; i += 16) {                                                                         \
            __mmask16 lanes = count - i < 16 ? (__mmask16)((1u << (count - i)) - 1) : 0xffff;                          \
            __m512 value = curve(_mm512_maskz_loadu_ps(lanes, x + i));                                                 \
            if (factor) value = _mm512_mul_ps(value, _mm512_maskz_loadu_ps(lanes, factor + i));                        \
            _mm512_mask_storeu_ps(y + i, lanes, value);                                                                \
        }                                                                                                              \
    }

LOOP(orrery_silu_avx512, silu)
LOOP(orrery_gelu_tanh_avx512, gelu_tanh)
LOOP(orrery_gelu_avx512, gelu)
LOOP(orrery_relu_avx512, relu)

ORRERY_END

#endif

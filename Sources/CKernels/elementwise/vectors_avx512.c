// Sums, multiples, soft caps and the largest number of a row, sixteen numbers at once.
#include "elementwise.h"

#include "../rows/exp_avx512.h"
#include "../rows/lanes_avx512.h"
#include "curves.h"

#if defined(__x86_64__)

#include <math.h>

ORRERY_BEGIN_AVX512

void orrery_add_avx512(const float *x, float *y, long count) {
    long i = 0;
    for (; i + 16 <= count; i += 16) {
        _mm512_storeu_ps(y + i, _mm512_add_ps(_mm512_loadu_ps(y + i), _mm512_loadu_ps(x + i)));
    }
    if (i == count) return;
    __mmask16 lanes = lanes_from(i, count);
    __m512 sum = _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, y + i), _mm512_maskz_loadu_ps(lanes, x + i));
    _mm512_mask_storeu_ps(y + i, lanes, sum);
}

void orrery_add_scaled_avx512(float factor, const float *x, float *y, long count) {
    __m512 factors = _mm512_set1_ps(factor);
    long i = 0;
    for (; i + 16 <= count; i += 16) {
        _mm512_storeu_ps(y + i, _mm512_fmadd_ps(factors, _mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i)));
    }
    if (i == count) return;
    __mmask16 lanes = lanes_from(i, count);
    __m512 sum = _mm512_fmadd_ps(factors, _mm512_maskz_loadu_ps(lanes, x + i), _mm512_maskz_loadu_ps(lanes, y + i));
    _mm512_mask_storeu_ps(y + i, lanes, sum);
}

void orrery_scale_avx512(float factor, float *x, long count) {
    for (long i = 0; i < count; i += 16) {
        __mmask16 lanes = lanes_from(i, count);
        _mm512_mask_storeu_ps(
            x + i, lanes, _mm512_mul_ps(_mm512_set1_ps(factor), _mm512_maskz_loadu_ps(lanes, x + i)));
    }
}

ORRERY_INLINE __m512 hyperbolic_tangent(__m512 y) {
    __m512 one = _mm512_set1_ps(1), size = _mm512_abs_ps(y), square = _mm512_mul_ps(y, y);
    __m512 q = _mm512_set1_ps(ORRERY_TANH_4);
    q = _mm512_fmadd_ps(q, square, _mm512_set1_ps(ORRERY_TANH_3));
    q = _mm512_fmadd_ps(q, square, _mm512_set1_ps(ORRERY_TANH_2));
    q = _mm512_fmadd_ps(q, square, _mm512_set1_ps(ORRERY_TANH_1));
    q = _mm512_fmadd_ps(q, square, _mm512_set1_ps(ORRERY_TANH_0));
    __m512 near = _mm512_fmadd_ps(_mm512_mul_ps(y, square), q, y);
    __m512 twice = _mm512_min_ps(_mm512_set1_ps(60000.0f), _mm512_add_ps(size, size)); // what orrery_exp_ps takes
    __m512 far = _mm512_sub_ps(one, _mm512_div_ps(_mm512_set1_ps(2), _mm512_add_ps(orrery_exp_ps(twice), one)));
    far = _mm512_or_ps(far, _mm512_and_ps(y, _mm512_set1_ps(-0.0f)));
    return _mm512_mask_mov_ps(near, _mm512_cmp_ps_mask(size, _mm512_set1_ps(ORRERY_TANH_NEAR), _CMP_GT_OQ), far);
}

void orrery_softcap_avx512(float cap, float *x, long count) {
    __m512 caps = _mm512_set1_ps(cap);
    for (long i = 0; i < count; i += 16) {
        __mmask16 lanes = lanes_from(i, count);
        __m512 share = _mm512_div_ps(_mm512_maskz_loadu_ps(lanes, x + i), caps);
        _mm512_mask_storeu_ps(x + i, lanes, _mm512_mul_ps(caps, hyperbolic_tangent(share)));
    }
}

long orrery_argmax_avx512(const float *x, long count) {
    __m512 largest = _mm512_set1_ps(-INFINITY);
    __m512i places = _mm512_setzero_si512();
    __m512i place = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (long i = 0; i < count; i += 16) {
        __m512 numbers = _mm512_mask_loadu_ps(_mm512_set1_ps(-INFINITY), lanes_from(i, count), x + i);
        __mmask16 larger = _mm512_cmp_ps_mask(numbers, largest, _CMP_GT_OQ);
        largest = _mm512_mask_mov_ps(largest, larger, numbers);
        places = _mm512_mask_mov_epi32(places, larger, place);
        place = _mm512_add_epi32(place, _mm512_set1_epi32(16));
    }
    // Each lane has the first of its own largest numbers; the first of those that are as large as the largest of all.
    __mmask16 winners = _mm512_cmp_ps_mask(largest, _mm512_set1_ps(_mm512_reduce_max_ps(largest)), _CMP_EQ_OQ);
    return (long)_mm512_mask_reduce_min_epu32(winners, places);
}

ORRERY_END

#endif

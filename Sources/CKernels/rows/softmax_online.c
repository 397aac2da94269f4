// Softmax with maximum and sum in one pass: the online normalizer.
//
//   for each x:  m' = max(m, x),   s = s e^(m - m') + e^(x - m'),   m = m'
//   y = e^(x - m) / s
//
// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018, algorithm 3. It reads x twice and
// writes y once, where three passes read three times and write twice; for that each exponential is computed twice. So
// it pays where a row does not stay in the caches, and costs where it does. Every lane keeps a maximum and a sum of its
// own, corrected once for four vectors; the lanes are merged by the same rule at the end.
#include "rows.h"

#include "exp_avx512.h"
#include "lanes_avx512.h"

#if defined(__x86_64__)

#include <float.h>
#include <math.h>

ORRERY_BEGIN_AVX512

ORRERY_INLINE __m512 exp_of_difference(__m512 x, __m512 max) { return orrery_exp_ps(_mm512_sub_ps(x, max)); }

// The maximum of a row and the sum of e^(x - maximum). The maximum starts at the smallest finite number, not at -inf,
// whose difference to an element of -inf would be NaN.
ORRERY_INLINE float normalizer(const float *x, long columns, float *maximum) {
    const __m512 nothing = _mm512_set1_ps(-INFINITY);
    __m512 max = _mm512_set1_ps(-FLT_MAX);
    __m512 sum = _mm512_setzero_ps();
    long i = 0;
    for (; i + 64 <= columns; i += 64) {
        __m512 x0 = _mm512_loadu_ps(x + i), x1 = _mm512_loadu_ps(x + i + 16);
        __m512 x2 = _mm512_loadu_ps(x + i + 32), x3 = _mm512_loadu_ps(x + i + 48);
        __m512 higher = _mm512_max_ps(_mm512_max_ps(x0, x1), _mm512_max_ps(_mm512_max_ps(x2, x3), max));
        __m512 e0 = _mm512_add_ps(exp_of_difference(x0, higher), exp_of_difference(x1, higher));
        __m512 e1 = _mm512_add_ps(exp_of_difference(x2, higher), exp_of_difference(x3, higher));
        sum = _mm512_fmadd_ps(sum, exp_of_difference(max, higher), _mm512_add_ps(e0, e1));
        max = higher;
    }
    for (; i < columns; i += 16) {
        __m512 last = _mm512_mask_loadu_ps(nothing, lanes_from(i, columns), x + i);
        __m512 higher = _mm512_max_ps(last, max);
        sum = _mm512_fmadd_ps(sum, exp_of_difference(max, higher), exp_of_difference(last, higher));
        max = higher;
    }
    *maximum = _mm512_reduce_max_ps(max);
    return _mm512_reduce_add_ps(_mm512_mul_ps(sum, exp_of_difference(max, _mm512_set1_ps(*maximum))));
}

void orrery_softmax_online(const float *x, long x_stride, float *y, long y_stride, long rows, long columns) {
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        float maximum;
        const __m512 scale = _mm512_set1_ps(1 / normalizer(x, columns, &maximum));
        const __m512 max = _mm512_set1_ps(maximum);
        long i = 0;
        for (; i + 16 <= columns; i += 16) {
            _mm512_storeu_ps(y + i, _mm512_mul_ps(exp_of_difference(_mm512_loadu_ps(x + i), max), scale));
        }
        if (i == columns) continue;
        __mmask16 lanes = lanes_from(i, columns);
        __m512 e = exp_of_difference(_mm512_maskz_loadu_ps(lanes, x + i), max);
        _mm512_mask_storeu_ps(y + i, lanes, _mm512_mul_ps(e, scale));
    }
}

ORRERY_END

#endif

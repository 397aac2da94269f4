// Softmax with vectors of sixteen: maximum; exponentials by table and parabola with their sum; division. The last
// columns go through masks: lanes beyond the row read -inf, whose exponential is 0, and are not written.
#include "rows.h"

#include "exp_avx512.h"
#include "lanes_avx512.h"

#if defined(__x86_64__)

#include <math.h>

ORRERY_BEGIN_AVX512

static float row_maximum(const float *x, long columns) {
    const __m512 nothing = _mm512_set1_ps(-INFINITY);
    __m512 max[4] = {nothing, nothing, nothing, nothing};
    long i = 0;
    for (; i + 64 <= columns; i += 64) {
        ORRERY_UNROLL
        for (int k = 0; k < 4; k++) max[k] = _mm512_max_ps(_mm512_loadu_ps(x + i + 16 * k), max[k]);
    }
    for (; i < columns; i += 16) {
        max[0] = _mm512_max_ps(_mm512_mask_loadu_ps(nothing, lanes_from(i, columns), x + i), max[0]);
    }
    return _mm512_reduce_max_ps(_mm512_max_ps(_mm512_max_ps(max[0], max[1]), _mm512_max_ps(max[2], max[3])));
}

// y = e^(x - max); returns the sum.
static float row_exponentials(const float *x, float *y, float max, long columns) {
    const __m512 maximum = _mm512_set1_ps(max);
    const __m512 nothing = _mm512_set1_ps(-INFINITY);
    __m512 sum[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
    long i = 0;
    for (; i + 64 <= columns; i += 64) {
        ORRERY_UNROLL
        for (int k = 0; k < 4; k++) {
            __m512 e = orrery_exp_ps(_mm512_sub_ps(_mm512_loadu_ps(x + i + 16 * k), maximum));
            sum[k] = _mm512_add_ps(sum[k], e);
            _mm512_storeu_ps(y + i + 16 * k, e);
        }
    }
    for (; i < columns; i += 16) {
        __mmask16 lanes = lanes_from(i, columns);
        __m512 e = orrery_exp_ps(_mm512_sub_ps(_mm512_mask_loadu_ps(nothing, lanes, x + i), maximum));
        sum[0] = _mm512_mask_add_ps(sum[0], lanes, sum[0], e);
        _mm512_mask_storeu_ps(y + i, lanes, e);
    }
    return _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(sum[0], sum[1]), _mm512_add_ps(sum[2], sum[3])));
}

static void scale_row(float *y, float factor, long columns) {
    const __m512 scale = _mm512_set1_ps(factor);
    long i = 0;
    for (; i + 16 <= columns; i += 16) _mm512_storeu_ps(y + i, _mm512_mul_ps(_mm512_loadu_ps(y + i), scale));
    if (i == columns) return;
    __mmask16 lanes = lanes_from(i, columns);
    _mm512_mask_storeu_ps(y + i, lanes, _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, y + i), scale));
}

void orrery_softmax_avx512(const float *x, long x_stride, float *y, long y_stride, long rows, long columns) {
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        float sum = row_exponentials(x, y, row_maximum(x, columns), columns);
        scale_row(y, 1 / sum, columns);
    }
}

ORRERY_END

#endif

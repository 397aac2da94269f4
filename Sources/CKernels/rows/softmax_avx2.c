// Softmax with vectors of eight: maximum; exponentials and their sum; division. The rest of a row that fills no vector
// is copied to a block of eight padded with -inf, whose exponential is 0.
#include "rows.h"

#include "exp_avx2.h"

#if defined(__x86_64__)

#include <math.h>
#include <string.h>

ORRERY_BEGIN_AVX2

// What the maximum is before the first element; e^(x - max) stays NaN for a row that never exceeds it.
#define NOTHING (-INFINITY)

ORRERY_INLINE __m256 load_rest(const float *x, long count) {
    float block[8] = {NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING};
    memcpy(block, x, (size_t)count * sizeof *x);
    return _mm256_loadu_ps(block);
}

ORRERY_INLINE void store_rest(float *y, __m256 value, long count) {
    float block[8];
    _mm256_storeu_ps(block, value);
    memcpy(y, block, (size_t)count * sizeof *y);
}

static float row_maximum(const float *x, long columns) {
    __m256 max0 = _mm256_set1_ps(NOTHING), max1 = max0;
    long i = 0;
    for (; i + 16 <= columns; i += 16) {
        max0 = _mm256_max_ps(_mm256_loadu_ps(x + i), max0);
        max1 = _mm256_max_ps(_mm256_loadu_ps(x + i + 8), max1);
    }
    for (; i + 8 <= columns; i += 8) max0 = _mm256_max_ps(_mm256_loadu_ps(x + i), max0);
    if (i < columns) max1 = _mm256_max_ps(load_rest(x + i, columns - i), max1);
    float lanes[8];
    _mm256_storeu_ps(lanes, _mm256_max_ps(max0, max1));
    for (int lane = 1; lane < 8; lane++) lanes[0] = lanes[lane] > lanes[0] ? lanes[lane] : lanes[0];
    return lanes[0];
}

// y = e^(x - max); returns the sum.
static float row_exponentials(const float *x, float *y, float max, long columns) {
    const __m256 maximum = _mm256_set1_ps(max);
    __m256 sum[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    long i = 0;
    for (; i + 32 <= columns; i += 32) {
        ORRERY_UNROLL
        for (int k = 0; k < 4; k++) {
            __m256 e = orrery_exp_avx2_8(_mm256_sub_ps(_mm256_loadu_ps(x + i + 8 * k), maximum));
            sum[k] = _mm256_add_ps(sum[k], e);
            _mm256_storeu_ps(y + i + 8 * k, e);
        }
    }
    for (; i + 8 <= columns; i += 8) {
        __m256 e = orrery_exp_avx2_8(_mm256_sub_ps(_mm256_loadu_ps(x + i), maximum));
        sum[0] = _mm256_add_ps(sum[0], e);
        _mm256_storeu_ps(y + i, e);
    }
    if (i < columns) {
        __m256 e = orrery_exp_avx2_8(_mm256_sub_ps(load_rest(x + i, columns - i), maximum));
        sum[1] = _mm256_add_ps(sum[1], e);
        store_rest(y + i, e, columns - i);
    }
    float lanes[8];
    _mm256_storeu_ps(lanes, _mm256_add_ps(_mm256_add_ps(sum[0], sum[1]), _mm256_add_ps(sum[2], sum[3])));
    double total = 0;
    for (int lane = 0; lane < 8; lane++) total += lanes[lane];
    return (float)total;
}

static void scale_row(float *y, float factor, long columns) {
    const __m256 scale = _mm256_set1_ps(factor);
    long i = 0;
    for (; i + 8 <= columns; i += 8) _mm256_storeu_ps(y + i, _mm256_mul_ps(_mm256_loadu_ps(y + i), scale));
    for (; i < columns; i++) y[i] *= factor;
}

void orrery_softmax_avx2(const float *x, long x_stride, float *y, long y_stride, long rows, long columns) {
    for (long row = 0; row < rows; row++, x += x_stride, y += y_stride) {
        float sum = row_exponentials(x, y, row_maximum(x, columns), columns);
        scale_row(y, 1 / sum, columns);
    }
}

ORRERY_END

#endif

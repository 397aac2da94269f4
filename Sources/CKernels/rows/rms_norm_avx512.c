// RMS norm with vectors of sixteen: the sum of squares of one row next to the writing of the row before, as in
// layer_norm_avx512.c. Two loads, two multiplications and a store a vector, three with a gain.
#include "rows.h"

#include "lanes_avx512.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

// Additions wait four cycles for each other: four partial sums keep the ports busy.
enum { CHAINS = 4, STEP = 16 * CHAINS, AHEAD = 64 };

typedef struct {
    __m512 squares[CHAINS];
} statistics;

ORRERY_INLINE void gather(statistics *row, const float *x, __mmask16 lanes, int chain) {
    __m512 number = _mm512_maskz_loadu_ps(lanes, x);
    row->squares[chain] = _mm512_fmadd_ps(number, number, row->squares[chain]);
}

// Writes the columns from i on.
ORRERY_INLINE void write(__m512 scale, const float *x, float *y, const float *gain, long i, __mmask16 lanes) {
    __m512 value = _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, x + i), scale);
    if (gain) value = _mm512_mul_ps(value, _mm512_maskz_loadu_ps(lanes, gain + i));
    _mm512_mask_storeu_ps(y + i, lanes, value);
}

ORRERY_INLINE __m512 finish(const statistics *row, float epsilon, long columns) {
    const __m512 *part = row->squares;
    float sum = _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(part[0], part[1]), _mm512_add_ps(part[2], part[3])));
    __m128 root = _mm_sqrt_ss(_mm_set_ss(sum / (float)columns + epsilon));
    return _mm512_set1_ps(1 / _mm_cvtss_f32(root));
}

ORRERY_INLINE void write_from(__m512 scale, const float *x, float *y, const float *gain, long from, long columns) {
    long i = from;
    for (; i + 16 <= columns; i += 16) write(scale, x, y, gain, i, 0xffff);
    if (i < columns) write(scale, x, y, gain, i, lanes_from(i, columns));
}

// Gathers `next` and writes a row, unless there is none yet. Returns the scale of `next`. The writing follows AHEAD
// columns behind, so that its own scale has time to be computed.
ORRERY_INLINE __m512 do_rows(__m512 scale, const float *x, float *y, const float *next, const float *gain,
    float epsilon, long columns, int writes) {
    const long whole = columns / STEP * STEP;
    const __m512 zero = _mm512_setzero_ps();
    statistics row = {{zero, zero, zero, zero}};
    long i = 0;
    for (; i < whole && i < AHEAD; i += STEP) {
        ORRERY_UNROLL
        for (int k = 0; k < CHAINS; k++) gather(&row, next + i + 16 * k, 0xffff, k);
    }
    for (; i < whole; i += STEP) {
        ORRERY_UNROLL
        for (int k = 0; k < CHAINS; k++) {
            gather(&row, next + i + 16 * k, 0xffff, k);
            if (writes) write(scale, x, y, gain, i + 16 * k - AHEAD, 0xffff);
        }
    }
    for (; i < columns; i += 16) gather(&row, next + i, lanes_from(i, columns), 0);
    __m512 next_scale = finish(&row, epsilon, columns);
    if (writes) write_from(scale, x, y, gain, whole < AHEAD ? 0 : whole - AHEAD, columns);
    return next_scale;
}

ORRERY_INLINE void all_rows(const float *x, long x_stride, float *y, long y_stride, const float *gain, float epsilon,
    long rows, long columns) {
    __m512 scale = do_rows(_mm512_setzero_ps(), 0, 0, x, gain, epsilon, columns, 0);
    for (; rows > 1; rows--, x += x_stride, y += y_stride) {
        scale = do_rows(scale, x, y, x + x_stride, gain, epsilon, columns, 1);
    }
    write_from(scale, x, y, gain, 0, columns);
}

void orrery_rms_norm_avx512(const float *x, long x_stride, float *y, long y_stride, const float *gain, float epsilon,
    long rows, long columns) {
    // Each case is a loop of its own, without a test inside.
    if (gain) {
        all_rows(x, x_stride, y, y_stride, gain, epsilon, rows, columns);
    } else {
        all_rows(x, x_stride, y, y_stride, 0, epsilon, rows, columns);
    }
}

ORRERY_END

#endif

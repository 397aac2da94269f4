// Layer norm with vectors of sixteen, in one pass of statistics and one of writing, the two on different rows at once.
//
// With d = x - shift for some number of the row's own size, mean = shift + mean(d) and
//
//   variance = mean(d^2) - mean(d)^2
//
// come from a single pass. The difference is exact enough as long as mean(d)^2 is not much larger than the variance;
// the shift is the mean of the row's first sixteen numbers, which sees to that in all rows but strange ones. Those, the
// ones with mean(d)^2 > 3 variance, are gathered once more about the mean that came out. All of it depends on the row
// alone. The mean itself is never rounded to one float: x - shift is exact for numbers close to each other, and
// y = (x - shift) scale - mean(d) scale is one fused multiply-add.
//
// The scale of a row is known only when all of it was read and a square root and a division are done. While that is
// so, the processor gathers the statistics of the next row: one loop writes row r and reads row r + 1. The loads, the
// stores and the traffic between L1 and L2 then share the time that each would take by itself.
#include "rows.h"

#include "lanes_avx512.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

// Additions wait four cycles for each other: four partial sums keep the ports busy.
enum { CHAINS = 4, STEP = 16 * CHAINS, AHEAD = 64 };
enum { WIDE = 3072, PANEL = 4 };

typedef struct {
    __m512 shift;
    __m512 sum[CHAINS], squares[CHAINS]; // of d and d^2
} statistics;

// y = d scale + offset, d = x - shift.
typedef struct {
    __m512 shift, scale, offset;
} placement;

ORRERY_INLINE statistics about(__m512 shift) {
    const __m512 zero = _mm512_setzero_ps();
    return (statistics){shift, {zero, zero, zero, zero}, {zero, zero, zero, zero}};
}

ORRERY_INLINE statistics begin(const float *x, long columns) {
    float sum = _mm512_reduce_add_ps(_mm512_maskz_loadu_ps(lanes_from(0, columns), x));
    return about(_mm512_set1_ps(sum / (float)(columns < 16 ? columns : 16)));
}

ORRERY_INLINE void gather(statistics *row, const float *x, __mmask16 lanes, int chain) {
    __m512 d = _mm512_maskz_sub_ps(lanes, _mm512_maskz_loadu_ps(lanes, x), row->shift);
    row->sum[chain] = _mm512_add_ps(row->sum[chain], d);
    row->squares[chain] = _mm512_fmadd_ps(d, d, row->squares[chain]);
}

ORRERY_INLINE float total(const __m512 part[CHAINS]) {
    return _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(part[0], part[1]), _mm512_add_ps(part[2], part[3])));
}

// The statistics of a row about its mean, as far as it is known: for rows whose first numbers are far from the others.
static statistics gather_again(const float *x, __m512 shift, float mean, long columns) {
    statistics row = about(_mm512_add_ps(shift, _mm512_set1_ps(mean)));
    for (long i = 0; i < columns; i += 16) gather(&row, x + i, lanes_from(i, columns), 0);
    return row;
}

ORRERY_INLINE placement finish(statistics row, const float *x, float epsilon, long columns) {
    float mean = total(row.sum) / (float)columns;
    float variance = total(row.squares) / (float)columns - mean * mean;
    if (mean * mean > 3 * variance) {
        row = gather_again(x, row.shift, mean, columns);
        mean = total(row.sum) / (float)columns;
        variance = total(row.squares) / (float)columns - mean * mean;
    }
    float scale = 1 / _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(variance + epsilon)));
    return (placement){row.shift, _mm512_set1_ps(scale), _mm512_set1_ps(-mean * scale)};
}

// Writes the columns from i on.
ORRERY_INLINE void write(placement place, const float *x, float *y, const float *gain, const float *bias, long i,
    __mmask16 lanes) {
    __m512 d = _mm512_sub_ps(_mm512_maskz_loadu_ps(lanes, x + i), place.shift);
    __m512 value = _mm512_fmadd_ps(d, place.scale, place.offset);
    if (gain && bias) {
        value = _mm512_fmadd_ps(
            value, _mm512_maskz_loadu_ps(lanes, gain + i), _mm512_maskz_loadu_ps(lanes, bias + i));
    } else if (gain) {
        value = _mm512_mul_ps(value, _mm512_maskz_loadu_ps(lanes, gain + i));
    } else if (bias) {
        value = _mm512_add_ps(value, _mm512_maskz_loadu_ps(lanes, bias + i));
    }
    _mm512_mask_storeu_ps(y + i, lanes, value);
}

ORRERY_INLINE void write_part(placement place, const float *x, float *y, const float *gain, const float *bias,
    long from, long to) {
    long i = from;
    for (; i + 16 <= to; i += 16) write(place, x, y, gain, bias, i, 0xffff);
    if (i < to) write(place, x, y, gain, bias, i, lanes_from(i, to));
}

// Gathers `next` and writes a row, unless there is none yet. Returns where the numbers of `next` go.
//
// The writing follows AHEAD columns behind, so that its own placement has time to be computed; the end of it falls into
// the time in which the placement of `next` is.
ORRERY_INLINE placement do_rows(placement place, const float *x, float *y, const float *next, const float *gain,
    const float *bias, float epsilon, long columns, int writes) {
    const long whole = columns / STEP * STEP;
    statistics row = begin(next, columns);
    long i = 0;
    for (; i < whole && i < AHEAD; i += STEP) {
        ORRERY_UNROLL
        for (int k = 0; k < CHAINS; k++) gather(&row, next + i + 16 * k, 0xffff, k);
    }
    for (; i < whole; i += STEP) {
        ORRERY_UNROLL
        for (int k = 0; k < CHAINS; k++) {
            gather(&row, next + i + 16 * k, 0xffff, k);
            if (writes) write(place, x, y, gain, bias, i + 16 * k - AHEAD, 0xffff);
        }
    }
    for (; i < columns; i += 16) gather(&row, next + i, lanes_from(i, columns), 0);
    placement next_place = finish(row, next, epsilon, columns);
    if (writes) write_part(place, x, y, gain, bias, whole < AHEAD ? 0 : whole - AHEAD, columns);
    return next_place;
}

ORRERY_INLINE void all_rows(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns) {
    const placement none = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
    placement place = do_rows(none, 0, 0, x, gain, bias, epsilon, columns, 0);
    for (; rows > 1; rows--, x += x_stride, y += y_stride) {
        place = do_rows(place, x, y, x + x_stride, gain, bias, epsilon, columns, 1);
    }
    write_part(place, x, y, gain, bias, 0, columns);
}

// Writes the columns from i to i + STEP of PANEL rows, with one load of each vector of gain and bias for all of them.
ORRERY_INLINE void write_panel(const placement *places, const float *x, long x_stride, float *y, long y_stride,
    const float *gain, const float *bias, long i) {
    __m512 factor[CHAINS], summand[CHAINS];
    ORRERY_UNROLL
    for (int v = 0; v < CHAINS; v++) {
        factor[v] = _mm512_loadu_ps(gain + i + 16 * v);
        summand[v] = _mm512_loadu_ps(bias + i + 16 * v);
    }
    ORRERY_UNROLL
    for (int k = 0; k < PANEL; k++) {
        ORRERY_UNROLL
        for (int v = 0; v < CHAINS; v++) {
            __m512 d = _mm512_sub_ps(_mm512_loadu_ps(x + k * x_stride + i + 16 * v), places[k].shift);
            __m512 value = _mm512_fmadd_ps(d, places[k].scale, places[k].offset);
            _mm512_storeu_ps(y + k * y_stride + i + 16 * v, _mm512_fmadd_ps(value, factor[v], summand[v]));
        }
    }
}

// Rows so wide that gain and bias would leave L1 before the next row needs them: PANEL rows are gathered, then written
// side by side. More than four would need more lines of L1 than it has for addresses a power of two apart.
ORRERY_INLINE void wide_rows(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns) {
    const placement none = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
    const long whole = columns / STEP * STEP;
    for (; rows >= PANEL; rows -= PANEL, x += PANEL * x_stride, y += PANEL * y_stride) {
        placement places[PANEL];
        for (long k = 0; k < PANEL; k++) {
            places[k] = do_rows(none, 0, 0, x + k * x_stride, gain, bias, epsilon, columns, 0);
        }
        for (long i = 0; i < whole; i += STEP) write_panel(places, x, x_stride, y, y_stride, gain, bias, i);
        for (long k = 0; k < PANEL; k++) {
            write_part(places[k], x + k * x_stride, y + k * y_stride, gain, bias, whole, columns);
        }
    }
    if (rows > 0) all_rows(x, x_stride, y, y_stride, gain, bias, epsilon, rows, columns);
}

void orrery_layer_norm_avx512(const float *x, long x_stride, float *y, long y_stride, const float *gain,
    const float *bias, float epsilon, long rows, long columns) {
    // Each case is a loop of its own, without a test inside.
    if (!gain && !bias) {
        all_rows(x, x_stride, y, y_stride, 0, 0, epsilon, rows, columns);
    } else if (!bias) {
        all_rows(x, x_stride, y, y_stride, gain, 0, epsilon, rows, columns);
    } else if (!gain) {
        all_rows(x, x_stride, y, y_stride, 0, bias, epsilon, rows, columns);
    } else if (columns <= WIDE) {
        all_rows(x, x_stride, y, y_stride, gain, bias, epsilon, rows, columns);
    } else {
        wide_rows(x, x_stride, y, y_stride, gain, bias, epsilon, rows, columns);
    }
}

ORRERY_END

#endif

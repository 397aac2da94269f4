// Softmax with one pass over each row and no maximum, where the row allows it.
//
// The maximum is there so that no exponential overflows. A row whose numbers all are within -60..60 needs none: e^60
// is 1.1e26, and sums of 2^31 such numbers are still far from the largest float. So the exponentials are taken as if
// the row were of this kind; its farthest number, found in the same pass, says whether it was. Other rows are done
// again with their maximum. Which way a row goes depends on its numbers alone, and so do its bits.
//
// Within that range the exponential costs nine operations. With n = x log2(e) rounded to a multiple of 1/32,
//
//   e^x = 2^n 2^r  ~  2^n ((r + a)^2 + b)      up to a constant factor, which the division by the sum removes
//
// where 2^n is an integer addition of n to the exponent of its table entry, and r + a is one fused multiply-add, since
// a = 46/32 is on the grid of n. The parabola's relative error is 1.3e-7, the exponential's altogether 3.3e-7; that
// log2(e) is a float leaves another 1.3e-8 |x - max| in the quotient, a fifth of what rounding x - max may cost.
//
// Two things remain that wait for each other: the division cannot start before the sum is known. So while a row is
// exponentiated, the row before is divided: the same loop, other data, no waiting.
//
// What a vector of 16 costs: 3 fused multiply-adds, 2 multiplications, 4 operations on the addition ports, 1 integer
// addition, 1 shuffle, 2 loads and 2 stores. On Zen 5 the four vector ports need 2.75 cycles for these, and the fused
// multiply-adds, the shuffle of two tables and the stores, which share two ports for their third operand, need 3.0. A
// copy needs one cycle where the data are in L1 and 2.1 to 3 in L2: a softmax that must store twice comes to a third of
// a copy in L1 and to three quarters of it in L2.
#include "rows.h"

#include "exp_avx512.h"
#include "lanes_avx512.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

static const float FAR = 60;

enum { STEP = 32, AHEAD = 64 };

// The table with the index taken off each exponent again: the integer addition of n, whose lowest five bits are the
// index, puts it back.
typedef struct {
    __m512 low, high;
} power_table;

ORRERY_INLINE power_table make_table(void) {
    __m512i index = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i low = _mm512_castps_si512(_mm512_load_ps(orrery_powers_of_two));
    __m512i high = _mm512_castps_si512(_mm512_load_ps(orrery_powers_of_two + 16));
    low = _mm512_sub_epi32(low, _mm512_slli_epi32(index, 18));
    high = _mm512_sub_epi32(high, _mm512_slli_epi32(_mm512_add_epi32(index, _mm512_set1_epi32(16)), 18));
    return (power_table){_mm512_castsi512_ps(low), _mm512_castsi512_ps(high)};
}

// A multiple of e^x for |x| <= 60; garbage beyond, NaN for NaN.
ORRERY_INLINE __m512 near_exponential(__m512 x, power_table table) {
    const __m512 log2_e = _mm512_set1_ps(ORRERY_LOG2_E);
    __m512 rounded = _mm512_fmadd_ps(x, log2_e, _mm512_set1_ps(ORRERY_ROUND_TO_32NDS));
    __m512 n_less_a = _mm512_sub_ps(rounded, _mm512_set1_ps(ORRERY_ROUND_TO_32NDS + 46.0f / 32));
    __m512 r_plus_a = _mm512_fmsub_ps(x, log2_e, n_less_a);
    __m512 parabola = _mm512_fmadd_ps(r_plus_a, r_plus_a, _mm512_set1_ps(0x1.0a66bap+1f));
    __m512i bits = _mm512_castps_si512(rounded);
    __m512i entry = _mm512_castps_si512(_mm512_permutex2var_ps(table.low, bits, table.high));
    __m512 power = _mm512_castsi512_ps(_mm512_add_epi32(entry, _mm512_slli_epi32(bits, 18)));
    return _mm512_mul_ps(power, parabola);
}

// What is known of a row when its exponentials are written.
typedef struct {
    __m512 sum[2], farthest[2];
} row_state;

ORRERY_INLINE void exponentiate(const float *x, float *y, __mmask16 lanes, power_table table, row_state *row, int k) {
    __m512 number = _mm512_maskz_loadu_ps(lanes, x);
    row->farthest[k] = _mm512_range_ps(row->farthest[k], number, 0x0b); // the larger absolute value
    __m512 e = near_exponential(number, table);
    row->sum[k] = _mm512_mask_add_ps(row->sum[k], lanes, row->sum[k], e);
    _mm512_mask_storeu_ps(y, lanes, e);
}

ORRERY_INLINE void scale(float *y, __mmask16 lanes, __m512 factor) {
    _mm512_mask_storeu_ps(y, lanes, _mm512_mul_ps(_mm512_maskz_loadu_ps(lanes, y), factor));
}

ORRERY_INLINE void scale_part(float *y, __m512 factor, long from, long columns) {
    long i = from;
    for (; i + 16 <= columns; i += 16) scale(y + i, 0xffff, factor);
    if (i < columns) scale(y + i, lanes_from(i, columns), factor);
}

// Exponentials of one row, next to the scaling of `before` where there is one.
//
// The scaling follows AHEAD columns behind, so that the sum of `before` has time to become a factor; the end of it
// falls into the time in which the next row begins.
ORRERY_INLINE row_state do_row(
    const float *x, float *y, float *before, float factor, long columns, power_table table, int has_before) {
    const __m512 zero = _mm512_setzero_ps();
    const __m512 before_factor = _mm512_set1_ps(factor);
    const long whole = columns / STEP * STEP;
    row_state row = {{zero, zero}, {zero, zero}};
    long i = 0;
    for (; i < whole && i < AHEAD; i += STEP) {
        exponentiate(x + i, y + i, 0xffff, table, &row, 0);
        exponentiate(x + i + 16, y + i + 16, 0xffff, table, &row, 1);
    }
    for (; i < whole; i += STEP) {
        exponentiate(x + i, y + i, 0xffff, table, &row, 0);
        if (has_before) scale(before + i - AHEAD, 0xffff, before_factor);
        exponentiate(x + i + 16, y + i + 16, 0xffff, table, &row, 1);
        if (has_before) scale(before + i + 16 - AHEAD, 0xffff, before_factor);
    }
    long scaled = whole < AHEAD ? 0 : whole - AHEAD;
    for (; i < columns; i += 16) exponentiate(x + i, y + i, lanes_from(i, columns), table, &row, 0);
    if (has_before) scale_part(before, before_factor, scaled, columns);
    return row;
}

static int is_far(const float *x, long columns) {
    __m512 farthest = _mm512_setzero_ps();
    for (long i = 0; i < columns; i += 16) {
        farthest = _mm512_range_ps(farthest, _mm512_maskz_loadu_ps(lanes_from(i, columns), x + i), 0x0b);
    }
    return !(_mm512_reduce_max_ps(farthest) <= FAR);
}

void orrery_softmax_overlapped(const float *x, long x_stride, float *y, long y_stride, long rows, long columns) {
    const power_table table = make_table();
    float *before = 0;
    float factor = 0;
    // Looking first costs a little where rows are near, and saves a wasted pass where they are far: after a row that
    // was far, and where the exponentials would overwrite the numbers themselves.
    int look_first = x == y;
    for (long r = 0; r < rows; r++, x += x_stride, y += y_stride) {
        if (look_first && is_far(x, columns)) {
            orrery_softmax_avx512(x, x_stride, y, y_stride, 1, columns);
            continue;
        }
        row_state row = before ? do_row(x, y, before, factor, columns, table, 1)
                               : do_row(x, y, 0, 0, columns, table, 0);
        before = 0;
        if (!(_mm512_reduce_max_ps(_mm512_max_ps(row.farthest[0], row.farthest[1])) <= FAR)) {
            orrery_softmax_avx512(x, x_stride, y, y_stride, 1, columns);
            look_first = 1;
            continue;
        }
        before = y;
        factor = 1 / _mm512_reduce_add_ps(_mm512_add_ps(row.sum[0], row.sum[1]));
    }
    if (before) scale_part(before, _mm512_set1_ps(factor), 0, columns);
}

ORRERY_END

#endif

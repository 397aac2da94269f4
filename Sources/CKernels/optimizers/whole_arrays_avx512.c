// Moving averages, bfloat16 copies and sums of squares, sixteen numbers at once.
#include "optimizer_steps.h"

#include "../instruction_sets.h"
#include "../rows/lanes_avx512.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

void orrery_move_toward_avx512(float share, const float *x, float *y, long count) {
    for (long i = 0; i < count; i += 16) {
        __mmask16 lanes = lanes_from(i, count);
        __m512 from = _mm512_maskz_loadu_ps(lanes, y + i);
        __m512 change = _mm512_sub_ps(_mm512_maskz_loadu_ps(lanes, x + i), from);
        _mm512_mask_storeu_ps(y + i, lanes, _mm512_fmadd_ps(change, _mm512_set1_ps(share), from));
    }
}

void orrery_round_bf16_avx512(const float *x, float *y, long count) {
    const __m512i one = _mm512_set1_epi32(1), below_half = _mm512_set1_epi32(0x7fff);
    for (long i = 0; i < count; i += 16) {
        __mmask16 lanes = lanes_from(i, count);
        __m512 number = _mm512_maskz_loadu_ps(lanes, x + i);
        __m512i bits = _mm512_castps_si512(number);
        __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), one);
        __m512i nearest = _mm512_add_epi32(_mm512_add_epi32(bits, below_half), odd);
        __mmask16 is_nan = _mm512_cmp_ps_mask(number, number, _CMP_UNORD_Q);
        nearest = _mm512_mask_or_epi32(nearest, is_nan, bits, _mm512_set1_epi32(0x00400000));
        nearest = _mm512_and_si512(nearest, _mm512_set1_epi32((int)0xffff0000));
        _mm512_mask_storeu_ps(y + i, lanes, _mm512_castsi512_ps(nearest));
    }
}

// Four vectors of eight float64 sums take 32 numbers a turn.
typedef struct {
    __m512d part[4];
} sums;

ORRERY_INLINE __m512d lower(__m512 x) { return _mm512_cvtps_pd(_mm512_castps512_ps256(x)); }
ORRERY_INLINE __m512d upper(__m512 x) { return _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1)); }

ORRERY_INLINE void add_squares(sums *to, int half, __m512d low, __m512d high) {
    to->part[2 * half] = _mm512_add_pd(to->part[2 * half], _mm512_mul_pd(low, low));
    to->part[2 * half + 1] = _mm512_add_pd(to->part[2 * half + 1], _mm512_mul_pd(high, high));
}

ORRERY_INLINE double by_halves(const sums *all) {
    __m512d low = _mm512_add_pd(all->part[0], all->part[2]), high = _mm512_add_pd(all->part[1], all->part[3]);
    double eight[8];
    _mm512_storeu_pd(eight, _mm512_add_pd(low, high));
    for (int half = 4; half > 0; half /= 2) {
        for (int i = 0; i < half; i++) eight[i] += eight[i + half];
    }
    return eight[0];
}

ORRERY_INLINE void add_sixteen(sums *to, int half, __m512 x) { add_squares(to, half, lower(x), upper(x)); }

ORRERY_INLINE void add_differences(sums *to, int half, __m512 x, __m512 y) {
    add_squares(to, half, _mm512_sub_pd(lower(x), lower(y)), _mm512_sub_pd(upper(x), upper(y)));
}

double orrery_sum_of_squares_avx512(const float *x, long count) {
    sums all = {{_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd()}};
    long i = 0;
    for (; i + 32 <= count; i += 32) {
        add_sixteen(&all, 0, _mm512_loadu_ps(x + i));
        add_sixteen(&all, 1, _mm512_loadu_ps(x + i + 16));
    }
    for (int half = 0; i < count; half++, i += 16) {
        __m512 rest = _mm512_maskz_loadu_ps(lanes_from(i, count), x + i);
        if (half == 0) add_sixteen(&all, 0, rest);
        if (half == 1) add_sixteen(&all, 1, rest);
    }
    return by_halves(&all);
}

double orrery_sum_of_squared_differences_avx512(const float *x, const float *y, long count) {
    sums all = {{_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd()}};
    long i = 0;
    for (; i + 32 <= count; i += 32) {
        add_differences(&all, 0, _mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i));
        add_differences(&all, 1, _mm512_loadu_ps(x + i + 16), _mm512_loadu_ps(y + i + 16));
    }
    for (int half = 0; i < count; half++, i += 16) {
        __mmask16 lanes = lanes_from(i, count);
        __m512 a = _mm512_maskz_loadu_ps(lanes, x + i), b = _mm512_maskz_loadu_ps(lanes, y + i);
        if (half == 0) add_differences(&all, 0, a, b);
        if (half == 1) add_differences(&all, 1, a, b);
    }
    return by_halves(&all);
}

ORRERY_END

#endif

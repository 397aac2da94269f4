// Activations to int8 by runs of 32, sixteen runs of a row at a time: their divisions are one.
#include "activation_runs.h"

#include "../instruction_sets.h"

#include <string.h>

#if defined(__x86_64__)
enum { RUNS_AT_ONCE = 16 };

ORRERY_BEGIN_AVX512

// Half a run: 16 columns, with zeros for those beyond the row's end.
ORRERY_INLINE __m512 half_run(const float *x, long left) {
    __mmask16 inside = left >= 16 ? 0xffff : left > 0 ? (__mmask16)((1u << left) - 1) : 0;
    return _mm512_maskz_loadu_ps(inside, x);
}

// The bits of a run's largest magnitude: those of floats are ordered as integers, infinities and NaN above all numbers.
ORRERY_INLINE uint32_t largest_bits(__m512 first, __m512 second) {
    const __m512i magnitude = _mm512_set1_epi32(0x7fffffff);
    __m512i a = _mm512_and_si512(_mm512_castps_si512(first), magnitude);
    __m512i b = _mm512_and_si512(_mm512_castps_si512(second), magnitude);
    return _mm512_reduce_max_epu32(_mm512_max_epu32(a, b));
}

// Scales of sixteen runs, and the steps a unit: zero for a run of zeros, for one so small that they are infinite, and
// for one that is not finite, whose scale is NaN.
ORRERY_INLINE void scales_of(const uint32_t *largest, float *scale, float *steps) {
    __m512i bits = _mm512_loadu_si512(largest);
    __m512 amax = _mm512_castsi512_ps(bits), steps_of_unit = _mm512_div_ps(_mm512_set1_ps(127), amax);
    const __m512i infinity = _mm512_set1_epi32(0x7f800000);
    __mmask16 finite = _mm512_cmplt_epu32_mask(bits, infinity);
    __mmask16 usable = finite & _mm512_cmplt_epu32_mask(_mm512_castps_si512(steps_of_unit), infinity);
    __m512 scales = _mm512_maskz_div_ps(usable, amax, _mm512_set1_ps(127));
    _mm512_storeu_ps(steps, _mm512_maskz_mov_ps(usable, steps_of_unit));
    _mm512_storeu_ps(scale, _mm512_mask_mov_ps(_mm512_set1_ps(__builtin_nanf("")), finite, scales));
}

// Sixteen columns in steps, and what they add up to.
ORRERY_INLINE int32_t pack_half(__m512 x, float steps, int8_t *q) {
    __m512 scaled = _mm512_maskz_mul_ps(steps != 0 ? 0xffff : 0, x, _mm512_set1_ps(steps));
    __m512i whole = _mm512_cvtps_epi32(scaled);
    _mm_storeu_si128((__m128i *)q, _mm512_cvtepi32_epi8(whole));
    return _mm512_reduce_add_epi32(whole);
}

static void pack_row(const float *x, long columns, int i, int zero, int halves, activation_run *runs) {
    uint32_t largest[RUNS_AT_ONCE];
    float scale[RUNS_AT_ONCE], steps[RUNS_AT_ONCE];
    for (long first = 0; first < columns; first += RUNS_AT_ONCE * RUN) {
        long left = columns - first, count = (left + RUN - 1) / RUN;
        if (count > RUNS_AT_ONCE) count = RUNS_AT_ONCE;
        memset(largest, 0, sizeof largest);
        for (long r = 0; r < count; r++) {
            const float *run = x + first + RUN * r;
            largest[r] = largest_bits(half_run(run, left - RUN * r), half_run(run + 16, left - RUN * r - 16));
        }
        scales_of(largest, scale, steps);
        for (long r = 0; r < count; r++, runs++) {
            const float *run = x + first + RUN * r;
            int32_t low = pack_half(half_run(run, left - RUN * r), steps[r], runs->q[i]);
            int32_t high = pack_half(half_run(run + 16, left - RUN * r - 16), steps[r], runs->q[i] + 16);
            runs->scale[i] = scale[r];
            runs->start[0][i] = -zero * (halves ? low : low + high);
            runs->start[1][i] = -zero * high;
            runs->sum[i] = scale[r] * (float)(low + high);
        }
    }
}

ORRERY_END

void orrery_pack_activation_runs(
    const orrery_weight_product *product, span rows, span columns, int zero, int halves, activation_run *runs) {
    for (long i = 0; i < rows.count; i++) {
        const float *x = product->x + (rows.first + i) * product->x_row + columns.first;
        pack_row(x, columns.count, (int)i, zero, halves, runs);
    }
}
#endif

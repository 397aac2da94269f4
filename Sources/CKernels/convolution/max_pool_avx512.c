// The maximum of 2 x 2 windows side by side, sixteen windows at once: 32 numbers of two rows, taken apart into the even
// and the odd ones, are the four taps.
#include "convolution.h"

#include "../rows/lanes_avx512.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

ORRERY_INLINE __mmask16 lanes_below(long count) { return count <= 0 ? 0 : lanes_from(0, count); }

// Tap `number` is the largest where it is larger, or the first NaN.
ORRERY_INLINE void take(__m512 x, int number, __m512 *largest, __m512i *tap) {
    __mmask16 larger = _mm512_cmp_ps_mask(x, *largest, _CMP_GT_OQ);
    __mmask16 first_nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q) & _mm512_cmp_ps_mask(*largest, *largest, _CMP_ORD_Q);
    *largest = _mm512_mask_mov_ps(*largest, larger | first_nan, x);
    *tap = _mm512_mask_mov_epi32(*tap, larger | first_nan, _mm512_set1_epi32(number));
}

void orrery_max_pool_2x2_avx512(
    const orrery_pooling *s, long planes, int rectifies, const float *x, float *y, uint16_t *taps) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
    for (long p = 0; p < planes; p++) {
        for (long r = 0; r < s->out_rows; r++) {
            const float *top = x + (p * s->rows + 2 * r) * s->columns, *bottom = top + s->columns;
            const long to = (p * s->out_rows + r) * s->out_columns;
            for (long q = 0; q < s->out_columns; q += 16) {
                const long rest = 2 * (s->out_columns - q);
                __mmask16 lanes = lanes_from(q, s->out_columns), low = lanes_below(rest), high = lanes_below(rest - 16);
                __m512 a = _mm512_maskz_loadu_ps(low, top + 2 * q), b = _mm512_maskz_loadu_ps(high, top + 2 * q + 16);
                __m512 c = _mm512_maskz_loadu_ps(low, bottom + 2 * q);
                __m512 d = _mm512_maskz_loadu_ps(high, bottom + 2 * q + 16);
                __m512 largest = _mm512_permutex2var_ps(a, even, b);
                __m512i tap = _mm512_setzero_si512();
                take(_mm512_permutex2var_ps(a, odd, b), 1, &largest, &tap);
                take(_mm512_permutex2var_ps(c, even, d), 2, &largest, &tap);
                take(_mm512_permutex2var_ps(c, odd, d), 3, &largest, &tap);
                if (rectifies) {
                    __mmask16 none = _mm512_cmp_ps_mask(largest, _mm512_setzero_ps(), _CMP_LE_OQ);
                    largest = _mm512_mask_mov_ps(largest, none, _mm512_setzero_ps());
                    tap = _mm512_mask_mov_epi32(tap, none, _mm512_set1_epi32(ORRERY_NO_TAP));
                }
                _mm512_mask_storeu_ps(y + to + q, lanes, largest);
                _mm256_mask_storeu_epi16(taps + to + q, lanes, _mm512_cvtepi32_epi16(tap));
            }
        }
    }
}

ORRERY_INLINE void clear(float *to, long count) {
    for (long i = 0; i < count; i += 16) _mm512_mask_storeu_ps(to + i, lanes_from(i, count), _mm512_setzero_ps());
}

void orrery_max_pool_2x2_gradient_avx512(
    const orrery_pooling *s, long planes, const float *y_gradient, const uint16_t *taps, float *x_gradient) {
    // Lane 2i of the first vector of a pair takes window i of one tap, lane 2i + 1 that of the next.
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
    const long covered = 2 * s->out_columns;
    for (long p = 0; p < planes; p++) {
        float *plane = x_gradient + p * s->rows * s->columns;
        for (long r = 0; r < s->out_rows; r++) {
            const long from = (p * s->out_rows + r) * s->out_columns;
            for (long q = 0; q < s->out_columns; q += 16) {
                const long rest = covered - 2 * q;
                __mmask16 lanes = lanes_from(q, s->out_columns), low = lanes_below(rest), high = lanes_below(rest - 16);
                __m512 gradient = _mm512_maskz_loadu_ps(lanes, y_gradient + from + q);
                __m512i tap = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(lanes, taps + from + q));
                ORRERY_UNROLL for (int i = 0; i < 2; i++) {
                    __mmask16 is_even = _mm512_cmpeq_epi32_mask(tap, _mm512_set1_epi32(2 * i));
                    __mmask16 is_odd = _mm512_cmpeq_epi32_mask(tap, _mm512_set1_epi32(2 * i + 1));
                    __m512 even = _mm512_maskz_mov_ps(is_even, gradient), odd = _mm512_maskz_mov_ps(is_odd, gradient);
                    float *to = plane + (2 * r + i) * s->columns + 2 * q;
                    _mm512_mask_storeu_ps(to, low, _mm512_permutex2var_ps(even, first, odd));
                    _mm512_mask_storeu_ps(to + 16, high, _mm512_permutex2var_ps(even, second, odd));
                }
            }
            for (int i = 0; i < 2; i++) clear(plane + (2 * r + i) * s->columns + covered, s->columns - covered);
        }
        // The last row of an odd number belongs to no window.
        clear(plane + 2 * s->out_rows * s->columns, (s->rows - 2 * s->out_rows) * s->columns);
    }
}

ORRERY_END

#endif

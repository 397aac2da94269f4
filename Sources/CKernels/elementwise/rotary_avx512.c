// Rotary position embedding, sixteen pairs at once where they are halves apart, eight where they are neighbors.
#include "elementwise.h"

#include "../instruction_sets.h"
#include "../rows/lanes_avx512.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

void orrery_rotate_halves_avx512(
    float *x, long heads, long head_width, long pairs, const float *cosines, const float *sines) {
    for (long i = 0; i < pairs; i += 16) {
        __mmask16 lanes = lanes_from(i, pairs);
        __m512 cosine = _mm512_maskz_loadu_ps(lanes, cosines + i);
        __m512 sine = _mm512_maskz_loadu_ps(lanes, sines + i);
        float *first = x + i;
        for (long head = 0; head < heads; head++, first += head_width) {
            __m512 a = _mm512_maskz_loadu_ps(lanes, first);
            __m512 b = _mm512_maskz_loadu_ps(lanes, first + pairs);
            __m512 turned_a = _mm512_fmsub_ps(a, cosine, _mm512_mul_ps(b, sine));
            __m512 turned_b = _mm512_fmadd_ps(b, cosine, _mm512_mul_ps(a, sine));
            _mm512_mask_storeu_ps(first, lanes, turned_a);
            _mm512_mask_storeu_ps(first + pairs, lanes, turned_b);
        }
    }
}

void orrery_rotate_adjacent_avx512(
    float *x, long heads, long head_width, long pairs, const float *cosines, const float *sines) {
    const __m512i twice = _mm512_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    for (long i = 0; i < pairs; i += 8) {
        __mmask16 angles = lanes_from(i, pairs) & 0xff;
        __mmask16 lanes = lanes_from(2 * i, 2 * pairs);
        __m512 cosine = _mm512_permutexvar_ps(twice, _mm512_maskz_loadu_ps(angles, cosines + i));
        __m512 sine = _mm512_permutexvar_ps(twice, _mm512_maskz_loadu_ps(angles, sines + i));
        float *first = x + 2 * i;
        for (long head = 0; head < heads; head++, first += head_width) {
            __m512 pair = _mm512_maskz_loadu_ps(lanes, first);
            __m512 swapped = _mm512_permute_ps(pair, 0xb1); // b, a
            // Even lanes: a cos - b sin; odd lanes: b cos + a sin.
            __m512 turned = _mm512_fmaddsub_ps(pair, cosine, _mm512_mul_ps(swapped, sine));
            _mm512_mask_storeu_ps(first, lanes, turned);
        }
    }
}

ORRERY_END

#endif

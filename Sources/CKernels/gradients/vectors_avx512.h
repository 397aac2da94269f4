// The vocabulary of the passes in the words of AVX-512: vectors of 16, the last of a row masked.
#pragma once

#include "../rows/exp_avx512.h"
#include "../rows/lanes_avx512.h"

enum { LANES = 16 };

typedef float vector __attribute__((ext_vector_type(16)));
typedef uint32_t words __attribute__((ext_vector_type(16)));

#define SPLAT(number) ((vector)(number))

// The first `count` numbers, and 0 in the lanes behind them.
ORRERY_INLINE vector load_some(const float *from, long count) {
    return (vector)_mm512_maskz_loadu_ps(lanes_from(0, count), from);
}

ORRERY_INLINE void store_some(float *to, vector x, long count) {
    _mm512_mask_storeu_ps(to, lanes_from(0, count), (__m512)x);
}

ORRERY_INLINE vector load(const float *from) { return (vector)_mm512_loadu_ps(from); }
ORRERY_INLINE void store(float *to, vector x) { _mm512_storeu_ps(to, (__m512)x); }
ORRERY_INLINE float total(vector x) { return _mm512_reduce_add_ps((__m512)x); }
ORRERY_INLINE float largest_of(vector x) { return _mm512_reduce_max_ps((__m512)x); }
ORRERY_INLINE vector exp_of(vector x) { return (vector)orrery_exp_ps((__m512)x); }
ORRERY_INLINE vector absolute(vector x) { return (vector)_mm512_abs_ps((__m512)x); }

// The upper and lower words of sixteen products of 32 by 32 bits.
ORRERY_INLINE words multiply(words a, uint32_t factor, words *low) {
    __m512i b = _mm512_set1_epi32((int)factor);
    __m512i even = _mm512_mul_epu32((__m512i)a, b), odd = _mm512_mul_epu32(_mm512_srli_epi64((__m512i)a, 32), b);
    *low = (words)_mm512_mask_mov_epi32(even, 0xaaaa, _mm512_slli_epi64(odd, 32));
    return (words)_mm512_mask_mov_epi32(_mm512_srli_epi64(even, 32), 0xaaaa, odd);
}

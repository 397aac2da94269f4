// Activations in 8 bits for the AVX-512 path: the numbers of activations.c, a group of sixteen runs at a time.
//
// The largest magnitudes of sixteen runs are found together, in a tree of shuffles that ends with a lane a run; scales
// are then one vector. Bytes are transposed to words as those of the weights are, and vpdpbusd with ones adds them up.
#include "row_groups_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

enum { RUNS = 16, INFINITE = 0x7f800000 };

// The bits of magnitudes: ordered as integers, infinities and NaN above all numbers.
ORRERY_INLINE __m512i magnitudes(const float *x) {
    return _mm512_and_si512(_mm512_loadu_si512(x), _mm512_set1_epi32(0x7fffffff));
}

// Lane pairs of a and of b, the larger of each pair: what was spread over two vectors is in one.
ORRERY_INLINE __m512i fold_words(__m512i a, __m512i b) {
    return _mm512_max_epu32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
}

ORRERY_INLINE __m512i fold_pairs(__m512i a, __m512i b) {
    return _mm512_max_epu32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
}

// The bits of the largest magnitude of each run, a lane a run.
ORRERY_INLINE __m512i largest_of_runs(const float *x) {
    __m512i quarters[4]; // runs 4i ..< 4i + 4 in the lanes of each quarter
    ORRERY_UNROLL for (int i = 0; i < 4; i++) {
        __m512i run[4];
        ORRERY_UNROLL for (int r = 0; r < 4; r++) {
            const float *from = x + 32 * (4 * i + r);
            run[r] = _mm512_max_epu32(magnitudes(from), magnitudes(from + 16));
        }
        quarters[i] = fold_pairs(fold_words(run[0], run[1]), fold_words(run[2], run[3]));
    }
    __m512i front = _mm512_max_epu32(
        _mm512_shuffle_i32x4(quarters[0], quarters[1], 0x88), _mm512_shuffle_i32x4(quarters[0], quarters[1], 0xdd));
    __m512i back = _mm512_max_epu32(
        _mm512_shuffle_i32x4(quarters[2], quarters[3], 0x88), _mm512_shuffle_i32x4(quarters[2], quarters[3], 0xdd));
    return _mm512_max_epu32(_mm512_shuffle_i32x4(front, back, 0x88), _mm512_shuffle_i32x4(front, back, 0xdd));
}

// Which lanes have steps to take: not those that are all zeros, not finite, or so small that steps are infinite.
ORRERY_INLINE __mmask16 usable(__m512i largest, __m512 steps) {
    __m512i bits = _mm512_and_si512(_mm512_castps_si512(steps), _mm512_set1_epi32(0x7fffffff));
    const __m512i infinite = _mm512_set1_epi32(INFINITE);
    __mmask16 finite = _mm512_cmplt_epu32_mask(largest, infinite) & _mm512_cmplt_epu32_mask(bits, infinite);
    return finite & _mm512_test_epi32_mask(largest, largest);
}

ORRERY_INLINE __m512 undefined_or(__m512i largest, __m512 scale) {
    __mmask16 undefined = _mm512_cmpge_epu32_mask(largest, _mm512_set1_epi32(INFINITE));
    return _mm512_mask_mov_ps(scale, undefined, _mm512_castsi512_ps(_mm512_set1_epi32(0x7fc00000)));
}

// Steps a unit and the scale of each run by itself: 127 / amax, and amax / 127 as f16.
ORRERY_INLINE __m512 steps_of_runs(const float *x, __m512 *scale) {
    const __m512 top = _mm512_set1_ps(127);
    __m512i largest = largest_of_runs(x);
    __m512 amax = _mm512_castsi512_ps(largest);
    __m512 steps = _mm512_div_ps(top, amax);
    __mmask16 used = usable(largest, steps);
    __m256i halves = _mm512_cvtps_ph(_mm512_div_ps(amax, top), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    *scale = undefined_or(largest, _mm512_maskz_mov_ps(used, _mm512_cvtph_ps(halves)));
    return _mm512_maskz_mov_ps(used, steps);
}

// The value of largest magnitude of 256; the first one decides the sign.
ORRERY_INLINE float extreme_of_block(const float *x, uint32_t largest) {
    __m512 high = _mm512_loadu_ps(x), low = high;
    for (int i = 16; i < 256; i += 16) {
        high = _mm512_max_ps(high, _mm512_loadu_ps(x + i));
        low = _mm512_min_ps(low, _mm512_loadu_ps(x + i));
    }
    float most = _mm512_reduce_max_ps(high), least = _mm512_reduce_min_ps(low);
    if (most != -least) return most > -least ? most : least;
    for (int i = 0; i < 256; i++) {
        if ((bits_of_float(x[i]) & 0x7fffffff) == largest) return x[i];
    }
    return most;
}

// The same for blocks of 256, eight runs each: -127 / m for the extreme value m, and one through that.
ORRERY_INLINE __m512 steps_of_blocks(const float *x, __m512 *scale) {
    __m512i runs = largest_of_runs(x);
    __m512 extreme = _mm512_setzero_ps();
    __m512i largest = _mm512_setzero_si512();
    for (int block = 0; block < 2; block++) {
        __mmask16 lanes = block == 0 ? 0x00ff : 0xff00;
        uint32_t bits = _mm512_mask_reduce_max_epu32(lanes, runs);
        float value = bits < INFINITE ? extreme_of_block(x + 256 * block, bits) : 0;
        largest = _mm512_mask_mov_epi32(largest, lanes, _mm512_set1_epi32((int)bits));
        extreme = _mm512_mask_mov_ps(extreme, lanes, _mm512_set1_ps(value));
    }
    __m512 steps = _mm512_div_ps(_mm512_set1_ps(-127), extreme);
    __mmask16 used = usable(largest, steps);
    *scale = undefined_or(largest, _mm512_maskz_div_ps(used, _mm512_set1_ps(1), steps));
    return _mm512_maskz_mov_ps(used, steps);
}

ORRERY_INLINE __m128i sixteen_levels(const float *x, float steps) {
    __m512 scaled = _mm512_mul_ps(_mm512_loadu_ps(x), _mm512_set1_ps(steps));
    return _mm512_cvtsepi32_epi8(_mm512_cvtps_epi32(scaled));
}

// Runs r and r + 4, one in each half.
ORRERY_INLINE __m512i two_runs(const int8_t *q, int r) {
    const __m256i *first = (const __m256i *)(q + 32 * r), *second = (const __m256i *)(q + 32 * (r + 4));
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(first)), _mm256_loadu_si256(second), 1);
}

ORRERY_INLINE void quantize_group(orrery_row_format format, const float *x, activation_group *group) {
    int8_t natural[GROUP];
    float run_steps[RUNS];
    __m512 scale, steps = is_super_block(format) ? steps_of_blocks(x, &scale) : steps_of_runs(x, &scale);
    _mm512_storeu_ps(run_steps, steps);
    for (int r = 0; r < RUNS; r++) {
        const float *from = x + 32 * r;
        __m256i q = _mm256_setzero_si256();
        float s = run_steps[r];
        if (s != 0) q = _mm256_set_m128i(sixteen_levels(from + 16, s), sixteen_levels(from, s));
        _mm256_storeu_si256((__m256i *)(natural + 32 * r), q);
    }
    __m512i front[4], back[4]; // words c and c + 4 of runs 0...7, of runs 8...15
    transpose_quarters(two_runs(natural, 0), two_runs(natural, 1), two_runs(natural, 2), two_runs(natural, 3), front);
    transpose_quarters(two_runs(natural, 8), two_runs(natural, 9), two_runs(natural, 10), two_runs(natural, 11), back);
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i front_sum = _mm512_setzero_si512(), sum = front_sum;
    ORRERY_UNROLL for (int c = 0; c < 4; c++) {
        __m512i low = _mm512_shuffle_i32x4(front[c], back[c], 0x88);
        __m512i high = _mm512_shuffle_i32x4(front[c], back[c], 0xdd);
        _mm512_store_si512(group->q + 64 * c, low);
        _mm512_store_si512(group->q + 64 * (c + 4), high);
        front_sum = _mm512_dpbusd_epi32(front_sum, ones, low);
        sum = _mm512_dpbusd_epi32(sum, ones, high);
    }
    _mm512_store_ps(group->scale, scale);
    _mm512_store_si512(group->sum, _mm512_add_epi32(sum, front_sum));
    _mm512_store_si512(group->front_sum, front_sum);
}

void orrery_quantize_row_vnni(orrery_row_format format, const float *x, long k, long m, activation_group *group) {
    float last[GROUP];
    for (long first = 0; first < k; first += GROUP, group += m) {
        const float *from = x + first;
        if (k - first < GROUP) {
            memset(last, 0, sizeof last);
            memcpy(last, from, (size_t)(k - first) * sizeof *last);
            if (k - first == GROUP / 2) memcpy(last + GROUP / 2, from, sizeof last / 2); // two rows share that group
            from = last;
        }
        quantize_group(format, from, group);
    }
}

ORRERY_END
#endif

// f32 to and from the two 16-bit floats, for arrays: the portable loops, and 256-bit ones.
#include "half.h"
#include "../include/dot_products.h"

static void bf16_of_f32(const float *from, uint16_t *to, long count) {
    for (long i = 0; i < count; i++) to[i] = bf16_of_float(from[i]);
}

static void f32_of_bf16(const uint16_t *from, float *to, long count) {
    for (long i = 0; i < count; i++) to[i] = float_of_bf16(from[i]);
}

static void f16_of_f32(const float *from, uint16_t *to, long count) {
    for (long i = 0; i < count; i++) to[i] = half_of_float(from[i]);
}

static void f32_of_f16(const uint16_t *from, float *to, long count) {
    for (long i = 0; i < count; i++) to[i] = float_of_half(from[i]);
}

const orrery_conversions orrery_conversions_portable = {bf16_of_f32, f32_of_bf16, f16_of_f32, f32_of_f16};

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2

// The portable loops again: what is wider here is what the compiler makes of them.
static void bf16_of_f32_avx2(const float *from, uint16_t *to, long count) {
    for (long i = 0; i < count; i++) to[i] = bf16_of_float(from[i]);
}

static void f32_of_bf16_avx2(const uint16_t *from, float *to, long count) {
    for (long i = 0; i < count; i++) to[i] = float_of_bf16(from[i]);
}

static void f16_of_f32_avx2(const float *from, uint16_t *to, long count) {
    long i = 0;
    for (; i + 8 <= count; i += 8) {
        __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128((__m128i *)(to + i), halves);
    }
    for (; i < count; i++) to[i] = half_of_float(from[i]);
}

static void f32_of_f16_avx2(const uint16_t *from, float *to, long count) {
    long i = 0;
    for (; i + 8 <= count; i += 8) {
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
    }
    for (; i < count; i++) to[i] = float_of_half(from[i]);
}

ORRERY_END

const orrery_conversions *orrery_conversions_avx2(void) {
    static const orrery_conversions conversions = {
        bf16_of_f32_avx2, f32_of_bf16_avx2, f16_of_f32_avx2, f32_of_f16_avx2,
    };
    return &conversions;
}
#else
const orrery_conversions *orrery_conversions_avx2(void) { return 0; }
#endif

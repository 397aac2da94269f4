// Rows of weights by floats in 512-bit registers: sixteen weights become a vector of f32 and meet up to four rows of x.
//
// Four sums of sixteen lanes an element of y: weight p goes to sum p / 16 mod 4. A row of weights is read from its
// first to its last byte, and rows follow each other in memory, so that memory sees one stream; what comes BYTES_AHEAD
// later is asked for, since the processor's own prefetching ends with every page.
#include "float_rows.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512

enum { FEW = 4, SUMS = 4, STEP = 64, BYTES_AHEAD = 4096, BLOCK = 32 /* rows of W */ };

// Sixteen weights from `from` on.
typedef __m512 sixteen_weights(const uint8_t *from);
// The first of them, zeros for the others.
typedef __m512 some_weights(const uint8_t *from, __mmask16 some);

typedef struct {
    sixteen_weights *sixteen;
    some_weights *some;
    int bytes; // of a weight
} weight_kind;

ORRERY_INLINE __m512 f32_sixteen(const uint8_t *from) { return _mm512_loadu_ps(from); }
ORRERY_INLINE __m512 f32_some(const uint8_t *from, __mmask16 some) { return _mm512_maskz_loadu_ps(some, from); }

ORRERY_INLINE __m512 f16_sixteen(const uint8_t *from) {
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from));
}
ORRERY_INLINE __m512 f16_some(const uint8_t *from, __mmask16 some) {
    return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(some, from));
}

ORRERY_INLINE __m512 bf16_floats(__m256i bits) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(bits), 16));
}
ORRERY_INLINE __m512 bf16_sixteen(const uint8_t *from) {
    return bf16_floats(_mm256_loadu_si256((const __m256i *)from));
}
ORRERY_INLINE __m512 bf16_some(const uint8_t *from, __mmask16 some) {
    return bf16_floats(_mm256_maskz_loadu_epi16(some, from));
}

ORRERY_INLINE __m512 int8_sixteen(const uint8_t *from) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)from)));
}
ORRERY_INLINE __m512 int8_some(const uint8_t *from, __mmask16 some) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_maskz_loadu_epi8(some, from)));
}

ORRERY_INLINE __mmask16 first_lanes(long count) {
    return count >= 16 ? 0xffff : count > 0 ? (__mmask16)((1u << count) - 1) : 0;
}

ORRERY_INLINE void multiply_row(
    weight_kind kind, const uint8_t *row, long k, const float *x, long x_stride, const int m, float scale, float *y,
    long y_stride) {
    __m512 sums[FEW][SUMS];
    ORRERY_UNROLL for (int i = 0; i < m; i++) {
        ORRERY_UNROLL for (int s = 0; s < SUMS; s++) sums[i][s] = _mm512_setzero_ps();
    }
    long p = 0;
    for (; p + STEP <= k; p += STEP) {
        const uint8_t *from = row + p * kind.bytes;
        ORRERY_UNROLL for (int line = 0; line < STEP * kind.bytes; line += 64) {
            _mm_prefetch((const char *)from + BYTES_AHEAD + line, _MM_HINT_NTA);
        }
        ORRERY_UNROLL for (int s = 0; s < SUMS; s++) {
            __m512 w = kind.sixteen(from + 16 * s * kind.bytes);
            ORRERY_UNROLL for (int i = 0; i < m; i++) {
                sums[i][s] = _mm512_fmadd_ps(w, _mm512_loadu_ps(x + i * x_stride + p + 16 * s), sums[i][s]);
            }
        }
    }
    if (p < k) {
        ORRERY_UNROLL for (int s = 0; s < SUMS; s++) {
            __mmask16 some = first_lanes(k - p - 16 * s);
            __m512 w = kind.some(row + (p + 16 * s) * kind.bytes, some);
            ORRERY_UNROLL for (int i = 0; i < m; i++) {
                __m512 from = _mm512_maskz_loadu_ps(some, x + i * x_stride + p + 16 * s);
                sums[i][s] = _mm512_fmadd_ps(w, from, sums[i][s]);
            }
        }
    }
    ORRERY_UNROLL for (int i = 0; i < m; i++) {
        __m512 pairs = _mm512_add_ps(_mm512_add_ps(sums[i][0], sums[i][1]), _mm512_add_ps(sums[i][2], sums[i][3]));
        y[i * y_stride] = _mm512_reduce_add_ps(pairs) * scale;
    }
}

// More rows of x than four come in turn: this number at a time stays in the nearest cache, next to a few rows of weights.
ORRERY_INLINE void multiply(
    weight_kind kind, const void *weights, const float *scales, long first, long rows, long k, const float *x,
    long x_stride, long m, float *y, long y_stride) {
    const uint8_t *w = (const uint8_t *)weights + first * k * kind.bytes;
    for (long block = 0; block < rows; block += BLOCK) {
        long end = rows - block < BLOCK ? rows : block + BLOCK;
        for (long i = 0; i < m; i += FEW) {
            const float *from = x + i * x_stride;
            for (long r = block; r < end; r++) {
                const uint8_t *row = w + r * k * kind.bytes;
                float scale = scales ? scales[first + r] * INT8_STEP : 1;
                float *to = y + i * y_stride + r;
                switch (m - i) { // the number of rows is known where the loops are unrolled
                case 1: multiply_row(kind, row, k, from, x_stride, 1, scale, to, y_stride); break;
                case 2: multiply_row(kind, row, k, from, x_stride, 2, scale, to, y_stride); break;
                case 3: multiply_row(kind, row, k, from, x_stride, 3, scale, to, y_stride); break;
                default: multiply_row(kind, row, k, from, x_stride, FEW, scale, to, y_stride);
                }
            }
        }
    }
}

void orrery_f32_rows_avx512(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    (void)scales;
    multiply((weight_kind){f32_sixteen, f32_some, 4}, weights, 0, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_f16_rows_avx512(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    (void)scales;
    multiply((weight_kind){f16_sixteen, f16_some, 2}, weights, 0, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_bf16_rows_avx512(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    (void)scales;
    multiply((weight_kind){bf16_sixteen, bf16_some, 2}, weights, 0, first, rows, k, x, x_stride, m, y, y_stride);
}

void orrery_int8_rows_avx512(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    multiply((weight_kind){int8_sixteen, int8_some, 1}, weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
}

ORRERY_END
#endif

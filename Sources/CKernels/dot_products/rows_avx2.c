// Rows of quantized weights in 256-bit registers: a run of 32 weights a register, four rows of W at a time.
//
// vpmaddubsw multiplies unsigned by signed bytes and adds pairs in 16 bits. Signed weights bring their magnitude and
// lend their sign to x: two products of 128 · 127 still fit. The eight sums of a run stay apart and meet the product of
// the two scales as floats; they are added at the end of the row.
#include "quantized_rows.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2

enum { ROWS = 4 };

ORRERY_INLINE __m256 dot_unsigned(__m256i w, __m256i x) {
    __m256i pairs = _mm256_maddubs_epi16(w, x);
    return _mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

ORRERY_INLINE __m256 dot_signed(__m256i w, __m256i x) {
    return dot_unsigned(_mm256_sign_epi8(w, w), _mm256_sign_epi8(x, w));
}

ORRERY_INLINE float sum_of_eight(__m256 v) {
    __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

ORRERY_INLINE __m256i load(const void *from) { return _mm256_loadu_si256(from); }

// The low nibbles of sixteen bytes, then the high ones.
ORRERY_INLINE __m256i nibbles(const uint8_t *from) {
    __m128i bytes = _mm_loadu_si128((const __m128i *)from);
    __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(bytes), _mm_srli_epi16(bytes, 4), 1);
    return _mm256_and_si256(both, _mm256_set1_epi8(15));
}

ORRERY_INLINE float scale_at(const uint8_t *place) {
    uint16_t half;
    memcpy(&half, place, 2);
    return _cvtsh_ss(half);
}

// What one block adds to the eight sums of its row, and to what will be taken off.
typedef void block_product(const uint8_t *block, const activation_group *x, long run, __m256 *sum, float *off);

ORRERY_INLINE void q8_0_block(const uint8_t *block, const activation_group *x, long run, __m256 *sum, float *off) {
    (void)off;
    __m256 scale = _mm256_set1_ps(scale_at(block) * x->scale[run]);
    *sum = _mm256_fmadd_ps(scale, dot_signed(load(block + 2), load(x->q + 32 * run)), *sum);
}

ORRERY_INLINE void q4_0_block(const uint8_t *block, const activation_group *x, long run, __m256 *sum, float *off) {
    (void)off;
    __m256 scale = _mm256_set1_ps(scale_at(block) * x->scale[run]);
    __m256i weights = _mm256_sub_epi8(nibbles(block + 2), _mm256_set1_epi8(8));
    *sum = _mm256_fmadd_ps(scale, dot_signed(weights, load(x->q + 32 * run)), *sum);
}

ORRERY_INLINE void q4_k_block(const uint8_t *block, const activation_group *x, long run, __m256 *sum, float *off) {
    float d = scale_at(block) * x->scale[run], dmin = scale_at(block + 2) * x->scale[run];
    int32_t lowered = 0;
    ORRERY_UNROLL for (int j = 0; j < 8; j++) {
        __m256i bytes = load(block + 16 + j / 2 * 32);
        __m256i weights = _mm256_and_si256(_mm256_srli_epi16(bytes, j % 2 * 4), _mm256_set1_epi8(15));
        int scale, minimum;
        q4_k_scale(block + 4, j, &scale, &minimum);
        __m256 dot = dot_unsigned(weights, load(x->q + 32 * (run + j)));
        *sum = _mm256_fmadd_ps(_mm256_set1_ps(d * (float)scale), dot, *sum);
        lowered += minimum * x->sum[run + j];
    }
    *off += dmin * (float)lowered;
}

ORRERY_INLINE void q5_k_block(const uint8_t *block, const activation_group *x, long run, __m256 *sum, float *off) {
    float d = scale_at(block) * x->scale[run], dmin = scale_at(block + 2) * x->scale[run];
    __m256i high = load(block + 16);
    int32_t lowered = 0;
    ORRERY_UNROLL for (int j = 0; j < 8; j++) {
        __m256i bytes = load(block + 48 + j / 2 * 32);
        __m256i nibbles = _mm256_and_si256(_mm256_srli_epi16(bytes, j % 2 * 4), _mm256_set1_epi8(15));
        __m256i moved = j < 4 ? _mm256_slli_epi16(high, j < 4 ? 4 - j : 0) : _mm256_srli_epi16(high, j < 4 ? 0 : j - 4);
        __m256i weights = _mm256_or_si256(nibbles, _mm256_and_si256(moved, _mm256_set1_epi8(16)));
        int scale, minimum;
        q4_k_scale(block + 4, j, &scale, &minimum);
        __m256 dot = dot_unsigned(weights, load(x->q + 32 * (run + j)));
        *sum = _mm256_fmadd_ps(_mm256_set1_ps(d * (float)scale), dot, *sum);
        lowered += minimum * x->sum[run + j];
    }
    *off += dmin * (float)lowered;
}

// Each half of a run has its scale: the pairs of 16 bits meet them before they are added.
ORRERY_INLINE void q6_k_block(const uint8_t *block, const activation_group *x, long run, __m256 *sum, float *off) {
    (void)off;
    const int8_t *scales = (const int8_t *)block + 192;
    __m256i total = _mm256_setzero_si256();
    ORRERY_UNROLL for (int j = 0; j < 8; j++) {
        __m256i bytes = load(block + j / 4 * 64 + j % 2 * 32), high = load(block + 128 + j / 4 * 32);
        __m256i nibbles = _mm256_and_si256(_mm256_srli_epi16(bytes, j % 4 / 2 * 4), _mm256_set1_epi8(15));
        __m256i moved = j % 4 == 0   ? _mm256_slli_epi16(high, 4)
                        : j % 4 == 1 ? _mm256_slli_epi16(high, 2)
                        : j % 4 == 2 ? high
                                     : _mm256_srli_epi16(high, 2);
        __m256i weights = _mm256_or_si256(nibbles, _mm256_and_si256(moved, _mm256_set1_epi8(0x30)));
        weights = _mm256_sub_epi8(weights, _mm256_set1_epi8(32));
        __m256i activations = load(x->q + 32 * (run + j));
        __m256i magnitudes = _mm256_sign_epi8(weights, weights);
        __m256i pairs = _mm256_maddubs_epi16(magnitudes, _mm256_sign_epi8(activations, weights));
        __m256i scale = _mm256_inserti128_si256(
            _mm256_castsi128_si256(_mm_set1_epi16(scales[2 * j])), _mm_set1_epi16(scales[2 * j + 1]), 1);
        total = _mm256_add_epi32(total, _mm256_madd_epi16(pairs, scale));
    }
    __m256 scale = _mm256_set1_ps(scale_at(block + 208) * x->scale[run]);
    *sum = _mm256_fmadd_ps(scale, _mm256_cvtepi32_ps(total), *sum);
}

// Rows that the last four lack are stood in for by the last one, whose extra results are dropped.
ORRERY_INLINE void multiply(
    block_product *product, long size, long bytes, const uint8_t *w, long rows, long k, const activation_group *x,
    long m, float *y, long stride) {
    for (long first = 0; first < rows; first += ROWS) {
        const uint8_t *row[ROWS];
        for (long r = 0; r < ROWS; r++) row[r] = w + (first + r < rows ? first + r : rows - 1) * (k / size * bytes);
        for (long i = 0; i < m; i++) {
            __m256 sum[ROWS];
            float off[ROWS];
            ORRERY_UNROLL for (int r = 0; r < ROWS; r++) {
                sum[r] = _mm256_setzero_ps();
                off[r] = 0;
            }
            for (long b = 0; b < k / size; b++) {
                const activation_group *group = x + b * size / GROUP * m + i;
                long run = b * size % GROUP / 32;
                ORRERY_UNROLL for (int r = 0; r < ROWS; r++) product(row[r] + b * bytes, group, run, sum + r, off + r);
            }
            for (long r = 0; r < ROWS && first + r < rows; r++) {
                y[i * stride + first + r] = sum_of_eight(sum[r]) - off[r];
            }
        }
    }
}

void orrery_q8_0_avx2(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q8_0_block, 32, Q8_0_BYTES, w, rows, k, x, m, y, stride);
}

void orrery_q4_0_avx2(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q4_0_block, 32, Q4_0_BYTES, w, rows, k, x, m, y, stride);
}

void orrery_q4_k_avx2(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q4_k_block, 256, Q4_K_BYTES, w, rows, k, x, m, y, stride);
}

void orrery_q5_k_avx2(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q5_k_block, 256, Q5_K_BYTES, w, rows, k, x, m, y, stride);
}

void orrery_q6_k_avx2(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply(q6_k_block, 256, Q6_K_BYTES, w, rows, k, x, m, y, stride);
}

ORRERY_END
#endif

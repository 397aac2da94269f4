// Sixteen weights of a row of f32, f16, bf16 or nf4, as they lie, to float32.
#include "panel_kernels.h"

ORRERY_INLINE __mmask16 lanes(long count) { return count >= 16 ? 0xffff : (__mmask16)((1u << count) - 1); }

// Where a weight of W is.
typedef struct {
    const orrery_weight_product *product;
    const char *bytes;
    long row, column;
} place;

// Bytes of a number of weights.
ORRERY_INLINE long bytes_of(const orrery_weight_product *p, long weights) {
    switch (p->format) {
    case ORRERY_WEIGHTS_F32: return 4 * weights;
    case ORRERY_WEIGHTS_NF4: return weights / 2;
    default: return 2 * weights;
    }
}

// The high half of a byte is the first of its two weights. Sixteen may begin in one group of 64 and end in the next,
// where a row is not a multiple of 16.
ORRERY_INLINE __m512 widen_nf4(place from, long count) {
    const __m512 quantiles = _mm512_setr_ps(
        -1.0f, -0.6961928009986877f, -0.5250730514526367f, -0.39491748809814453f, -0.28444138169288635f,
        -0.18477343022823334f, -0.09105003625154495f, 0.0f, 0.07958029955625534f, 0.16093020141124725f,
        0.24611230194568634f, 0.33791524171829224f, 0.44070982933044434f, 0.5626170039176941f, 0.7229568362236023f,
        1.0f);
    const float *scales = from.product->scales;
    long first = from.row * from.product->columns + from.column;
    __m128i bytes = _mm_maskz_loadu_epi8((__mmask16)((1u << (count / 2)) - 1), from.bytes);
    __m128i high = _mm_and_si128(_mm_srli_epi16(bytes, 4), _mm_set1_epi8(15));
    __m512i codes = _mm512_cvtepu8_epi32(_mm_unpacklo_epi8(high, _mm_and_si128(bytes, _mm_set1_epi8(15))));
    __m512 scale = _mm512_set1_ps(scales[first / 64]), next = _mm512_set1_ps(scales[(first + count - 1) / 64]);
    __m512 of_lanes = _mm512_mask_mov_ps(next, lanes(64 - first % 64), scale);
    return _mm512_mul_ps(_mm512_permutexvar_ps(codes, quantiles), of_lanes);
}

// The weights starting there, `left` of which are in the row; what follows them is never used.
ORRERY_INLINE __m512 widen(place from, long left) {
    __mmask16 inside = lanes(left);
    switch (from.product->format) {
    case ORRERY_WEIGHTS_F32: return _mm512_maskz_loadu_ps(inside, from.bytes);
    case ORRERY_WEIGHTS_F16: return _mm512_cvtph_ps(_mm256_maskz_loadu_epi16(inside, from.bytes));
    case ORRERY_WEIGHTS_NF4: return widen_nf4(from, least(16, left));
    default: {
        __m512i halves = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(inside, from.bytes));
        return _mm512_castsi512_ps(_mm512_slli_epi32(halves, 16));
    }
    }
}

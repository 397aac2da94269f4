// Which product goes with which format and path; weights of the flattened matrix as floats.
#include "float_rows.h"

#pragma STDC FP_CONTRACT OFF

orrery_float_row_product *orrery_float_row_product_of(orrery_float_format format, orrery_float_path path) {
    static orrery_float_row_product *const products[5][3] = {
#if defined(__x86_64__)
        {orrery_f32_rows_portable, orrery_f32_rows_avx2, orrery_f32_rows_avx512},
        {orrery_f16_rows_portable, orrery_f16_rows_avx2, orrery_f16_rows_avx512},
        {orrery_bf16_rows_portable, orrery_bf16_rows_avx2, orrery_bf16_rows_avx512},
        {orrery_nf4_rows_portable, orrery_nf4_rows_avx2, orrery_nf4_rows_avx512},
        {orrery_int8_rows_portable, orrery_int8_rows_avx2, orrery_int8_rows_avx512},
#else
        {orrery_f32_rows_portable},
        {orrery_f16_rows_portable},
        {orrery_bf16_rows_portable},
        {orrery_nf4_rows_portable},
        {orrery_int8_rows_portable},
#endif
    };
    return products[format][path];
}

// The 16 bits of weight i; files align what they hold as they like.
ORRERY_INLINE uint16_t bits_at(const void *weights, long i) {
    uint16_t bits;
    memcpy(&bits, (const uint8_t *)weights + 2 * i, 2);
    return bits;
}

static void decode_nf4(const uint8_t *bytes, const float *scales, long first, long count, float *to) {
    for (long i = first; i < first + count; i++) {
        int nibble = i % 2 == 0 ? bytes[i / 2] >> 4 : bytes[i / 2] & 15;
        *to++ = NF4_VALUES[nibble] * scales[i / NF4_BLOCK];
    }
}

static void decode_int8(const int8_t *q, const float *scales, long k, long first, long count, float *to) {
    for (long i = first; i < first + count; i++) *to++ = (float)q[i] * scales[i / k] * INT8_STEP;
}

void orrery_decode_floats(
    orrery_float_format format, const void *weights, const float *scales, long k, long first, long count, float *to) {
    switch (format) {
    case ORRERY_FLOAT_F32: memcpy(to, (const uint8_t *)weights + 4 * first, 4 * (size_t)count); break;
    case ORRERY_FLOAT_F16:
        for (long i = 0; i < count; i++) to[i] = float_of_half(bits_at(weights, first + i));
        break;
    case ORRERY_FLOAT_BF16:
        for (long i = 0; i < count; i++) to[i] = float_of_bf16(bits_at(weights, first + i));
        break;
    case ORRERY_FLOAT_NF4: decode_nf4(weights, scales, first, count, to); break;
    case ORRERY_FLOAT_INT8: decode_int8(weights, scales, k, first, count, to); break;
    }
}

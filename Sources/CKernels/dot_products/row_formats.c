// Encoding weights to Q8_0 and Q4_0, and decoding all formats.
//
// Q8_0: d = amax / 127, q = x / d rounded half away from zero. Q4_0: d = m / -8 where m is the weight of largest
// magnitude with its sign; q = x / d + 8.5 cut to a whole number, at most 15. Both divide by d in f32 and then store d
// as f16.
#include "quantized_rows.h"
#include "row_formats.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF // the same bytes and the same numbers on every processor

static void put_half(uint8_t *place, float value) {
    uint16_t half = half_of_float(value);
    memcpy(place, &half, 2);
}

static float extreme_of(const float *x, int count) {
    float extreme = 0;
    for (int i = 0; i < count; i++) {
        if (fabsf(x[i]) > fabsf(extreme)) extreme = x[i];
    }
    return extreme;
}

// Rounded half away from zero, at most 127 in magnitude; NaN becomes an end.
ORRERY_INLINE int rounded_away(float x) {
    float magnitude = fabsf(x) < 127 ? fabsf(x) : 127;
    int whole = (int)magnitude;
    whole += magnitude - (float)whole >= 0.5f;
    return x < 0 ? -whole : whole;
}

// Cut to a whole number in 0...15; NaN becomes 0.
ORRERY_INLINE int cut(float x) {
    x = x > 0 ? x : 0;
    return (int)(x < 15 ? x : 15);
}

static void encode_q8_0(const float *x, uint8_t *block) {
    float d = fabsf(extreme_of(x, 32)) / 127;
    float steps = d != 0 ? 1 / d : 0;
    put_half(block, d);
    for (int i = 0; i < 32; i++) block[2 + i] = (uint8_t)(int8_t)rounded_away(x[i] * steps);
}

static void encode_q4_0(const float *x, uint8_t *block) {
    float d = extreme_of(x, 32) / -8;
    float steps = d != 0 ? 1 / d : 0;
    put_half(block, d);
    for (int i = 0; i < 16; i++) {
        int low = cut(x[i] * steps + 8.5f), high = cut(x[i + 16] * steps + 8.5f);
        block[2 + i] = (uint8_t)(low | high << 4);
    }
}

static void decode_q8_0(const uint8_t *block, float *x) {
    float d = half_at(block);
    for (int i = 0; i < 32; i++) x[i] = d * (float)(int8_t)block[2 + i];
}

static void decode_q4_0(const uint8_t *block, float *x) {
    float d = half_at(block);
    for (int i = 0; i < 16; i++) {
        x[i] = d * (float)((block[2 + i] & 15) - 8);
        x[i + 16] = d * (float)((block[2 + i] >> 4) - 8);
    }
}

static void decode_q4_k(const uint8_t *block, float *x) {
    float d = half_at(block), dmin = half_at(block + 2);
    for (int j = 0; j < 8; j++) {
        int scale, minimum;
        q4_k_scale(block + 4, j, &scale, &minimum);
        float step = d * (float)scale, off = dmin * (float)minimum;
        const uint8_t *q = block + 16 + j / 2 * 32;
        for (int i = 0; i < 32; i++) x[32 * j + i] = step * (float)(q[i] >> j % 2 * 4 & 15) - off;
    }
}

static void decode_q5_k(const uint8_t *block, float *x) {
    float d = half_at(block), dmin = half_at(block + 2);
    for (int j = 0; j < 8; j++) {
        int scale, minimum;
        q4_k_scale(block + 4, j, &scale, &minimum);
        float step = d * (float)scale, off = dmin * (float)minimum;
        const uint8_t *high = block + 16, *q = block + 48 + j / 2 * 32;
        for (int i = 0; i < 32; i++) {
            int level = (q[i] >> j % 2 * 4 & 15) | (high[i] >> j & 1) << 4;
            x[32 * j + i] = step * (float)level - off;
        }
    }
}

static void decode_q6_k(const uint8_t *block, float *x) {
    float d = half_at(block + 208);
    for (int run = 0; run < 16; run++) {
        float step = d * (float)(int8_t)block[192 + run];
        for (int i = 0; i < 16; i++) {
            int level = q6_k_level(block, run / 8, run % 8 / 2, run % 2 * 16 + i);
            x[16 * run + i] = step * (float)(level - 32);
        }
    }
}

typedef struct {
    void (*encode)(const float *x, uint8_t *block);
    void (*decode)(const uint8_t *block, float *x);
} block_format;

static const block_format formats[] = {
    [ORRERY_Q8_0] = {encode_q8_0, decode_q8_0},        [ORRERY_Q4_0] = {encode_q4_0, decode_q4_0},
    [ORRERY_Q4_K] = {orrery_encode_q4_k, decode_q4_k}, [ORRERY_Q5_K] = {orrery_encode_q5_k, decode_q5_k},
    [ORRERY_Q6_K] = {orrery_encode_q6_k, decode_q6_k},
};

void orrery_encode_row(orrery_row_format format, const float *weights, long k, uint8_t *row) {
    long size = orrery_row_block_size(format), bytes = orrery_row_block_bytes(format);
    for (long first = 0; first < k; first += size, row += bytes) formats[format].encode(weights + first, row);
}

void orrery_decode_row(orrery_row_format format, const uint8_t *row, long k, float *weights) {
    long size = orrery_row_block_size(format), bytes = orrery_row_block_bytes(format);
    for (long first = 0; first < k; first += size, row += bytes) formats[format].decode(row, weights + first);
}

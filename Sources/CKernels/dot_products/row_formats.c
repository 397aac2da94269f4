// Encoding weights to Q8_0, Q4_0 and Q4_K, and decoding them.
//
// Q8_0: d = amax / 127, q = x / d rounded half away from zero. Q4_0: d = m / -8 where m is the weight of largest
// magnitude with its sign; q = x / d + 8.5 cut to a whole number, at most 15. Both divide by d in f32 and then store d
// as f16.
#include "quantized_rows.h"
#include "row_formats.h"

#include <math.h>

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

// A whole number for what may be anything: NaN becomes the lower end.
static int whole(float x, int low, int high) {
    if (!(x > (float)low)) return low;
    return x < (float)high ? (int)x : high;
}

static void encode_q8_0(const float *x, uint8_t *block) {
    float d = fabsf(extreme_of(x, 32)) / 127;
    float steps = d != 0 ? 1 / d : 0;
    put_half(block, d);
    for (int i = 0; i < 32; i++) block[2 + i] = (uint8_t)(int8_t)whole(roundf(x[i] * steps), -127, 127);
}

static void encode_q4_0(const float *x, uint8_t *block) {
    float d = extreme_of(x, 32) / -8;
    float steps = d != 0 ? 1 / d : 0;
    put_half(block, d);
    for (int i = 0; i < 16; i++) {
        int low = whole(x[i] * steps + 8.5f, 0, 15), high = whole(x[i + 16] * steps + 8.5f, 0, 15);
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

void orrery_encode_row(orrery_row_format format, const float *weights, long k, uint8_t *row) {
    void (*encode)(const float *, uint8_t *) =
        format == ORRERY_Q8_0 ? encode_q8_0 : format == ORRERY_Q4_0 ? encode_q4_0 : orrery_encode_q4_k;
    long size = orrery_row_block_size(format), bytes = orrery_row_block_bytes(format);
    for (long first = 0; first < k; first += size, row += bytes) encode(weights + first, row);
}

void orrery_decode_row(orrery_row_format format, const uint8_t *row, long k, float *weights) {
    void (*decode)(const uint8_t *, float *) =
        format == ORRERY_Q8_0 ? decode_q8_0 : format == ORRERY_Q4_0 ? decode_q4_0 : decode_q4_k;
    long size = orrery_row_block_size(format), bytes = orrery_row_block_bytes(format);
    for (long first = 0; first < k; first += size, row += bytes) decode(row, weights + first);
}

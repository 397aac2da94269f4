// The encoders of NF4 and INT8 as bitsandbytes defines them: scales are the largest magnitudes, of 64 weights and of a
// row.
#include "float_rows.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

static float largest_magnitude(const float *x, long count) {
    float largest = 0;
    for (long i = 0; i < count; i++) largest = fabsf(x[i]) > largest ? fabsf(x[i]) : largest;
    return largest;
}

// The index of the value nearest to x in -1...1, the lower one where two are equally near.
static int nearest_index(float x) {
    int low = 0;
    for (int step = 8; step > 0; step /= 2) low += low + step < 16 && x >= NF4_VALUES[low + step] ? step : 0;
    if (low == 15) return low;
    return fabsf(x - NF4_VALUES[low + 1]) < fabsf(x - NF4_VALUES[low]) ? low + 1 : low;
}

void orrery_encode_nf4(const float *x, long count, uint8_t *to, float *scales) {
    for (long first = 0; first < count; first += NF4_BLOCK, x += NF4_BLOCK) {
        long block = count - first < NF4_BLOCK ? count - first : NF4_BLOCK;
        float scale = largest_magnitude(x, block);
        *scales++ = scale;
        for (long i = 0; i < block; i += 2) {
            int high = scale > 0 ? nearest_index(x[i] / scale) : 7;
            int low = i + 1 < block && scale > 0 ? nearest_index(x[i + 1] / scale) : 7;
            *to++ = (uint8_t)(high << 4 | low);
        }
    }
}

void orrery_encode_int8(const float *x, long count, int8_t *to, float *scale) {
    *scale = largest_magnitude(x, count);
    float steps = 127 / *scale;
    for (long i = 0; i < count; i++) {
        float q = (x[i] * steps + 12582912.0f) - 12582912.0f; // no bits are left for a fraction: rounded to even
        q = q > -127 ? q : -127;
        q = q < 127 ? q : 127;
        to[i] = *scale > 0 ? (int8_t)q : 0;
    }
}

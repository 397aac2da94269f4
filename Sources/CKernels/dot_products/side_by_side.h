// Searches for the scales of many runs at once, a lane a run: what one run does in order, all do side by side, so that
// a compiler finds vectors while every sum keeps the order, and so the bits, of the search of a single run.
#pragma once

#include "quantized_rows.h"

// The whole number nearest to x, ties to even, in low...high; NaN becomes low. |x| < 2^22, or it is beyond both ends.
ORRERY_INLINE float nearest_level(float x, float low, float high) {
    float rounded = (x + 12582912.0f) - 12582912.0f;
    rounded = rounded > low ? rounded : low;
    return rounded < high ? rounded : high;
}

ORRERY_INLINE void store_half(uint8_t *place, uint16_t half) { memcpy(place, &half, 2); }

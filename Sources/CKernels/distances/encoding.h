// Coordinates as bytes, and searches in arrays of floats, written so that a compiler turns them into vectors of
// whatever width it is given.
#pragma once

#include <string.h>

#include "distances.h"
#include "instruction_sets.h"

ORRERY_INLINE void encode_vector(
    const float *row, const float *center, float scale, long dimension, long stride, int8_t *codes) {
    // Adding it leaves no room for digits after the point: what is taken away again is rounded, halves to even.
    const float whole = 12582912.0f;
    for (long p = 0; p < dimension; p++) {
        float code = (row[p] - center[p]) * scale;
        code = code > -63 ? code : -63; // not a number becomes -63
        code = code < 63 ? code : 63;
        codes[p] = (int8_t)(int32_t)((code + whole) - whole);
    }
    memset(codes + dimension, 0, (size_t)(stride - dimension));
}

ORRERY_INLINE float largest_difference(const float *x, const float *y, long count) {
    // Floats without their sign are in the order of their bits.
    uint32_t largest = 0;
    for (long p = 0; p < count; p++) {
        float difference = x[p] - y[p];
        uint32_t bits;
        memcpy(&bits, &difference, 4);
        bits &= 0x7fffffff;
        largest = bits > largest ? bits : largest;
    }
    float result;
    memcpy(&result, &largest, 4);
    return result;
}

// Few positions are below the bound: sixteen at once are looked at, one by one only where one of them is.
ORRERY_INLINE long positions_below(const float *numbers, long count, float bound, uint32_t *positions) {
    long found = 0, i = 0;
    for (; i + 16 <= count; i += 16) {
        int32_t any = 0;
        for (int lane = 0; lane < 16; lane++) any |= -(numbers[i + lane] < bound);
        if (!any) continue;
        for (int lane = 0; lane < 16; lane++) {
            positions[found] = (uint32_t)(i + lane);
            found += numbers[i + lane] < bound;
        }
    }
    for (; i < count; i++) {
        positions[found] = (uint32_t)i;
        found += numbers[i] < bound;
    }
    return found;
}

// The same for start + factor * product against a bound of each product.
ORRERY_INLINE long products_below(const float *products, long count, float start, float factor, const float *bounds,
    uint32_t *positions) {
    long found = 0, i = 0;
    for (; i + 16 <= count; i += 16) {
        int32_t any = 0;
        for (int lane = 0; lane < 16; lane++) any |= -(start + factor * products[i + lane] < bounds[i + lane]);
        if (!any) continue;
        for (int lane = 0; lane < 16; lane++) {
            positions[found] = (uint32_t)(i + lane);
            found += start + factor * products[i + lane] < bounds[i + lane];
        }
    }
    for (; i < count; i++) {
        positions[found] = (uint32_t)i;
        found += start + factor * products[i] < bounds[i];
    }
    return found;
}

#define ENCODING(path) \
    void orrery_encode_vector_##path( \
        const float *row, const float *center, float scale, long dimension, long stride, int8_t *codes) { \
        encode_vector(row, center, scale, dimension, stride, codes); \
    } \
    float orrery_largest_difference_##path(const float *x, const float *y, long count) { \
        return largest_difference(x, y, count); \
    } \
    long orrery_positions_below_##path(const float *numbers, long count, float bound, uint32_t *positions) { \
        return positions_below(numbers, count, bound, positions); \
    } \
    long orrery_products_below_##path(const float *products, long count, float start, float factor, \
        const float *bounds, uint32_t *positions) { \
        return products_below(products, count, start, factor, bounds, positions); \
    }

// IEEE half precision and bfloat16 by integer arithmetic: what every processor can do, in forms a compiler vectorizes.
//
// f16: sign, 5 bits of exponent (bias 15), 10 of mantissa. bf16: the upper half of an f32.
// Rounding is to nearest, ties to even. A NaN keeps its sign and the upper bits of its payload and becomes quiet.
#pragma once

#include "../instruction_sets.h"

#include <stdint.h>
#include <string.h>

ORRERY_INLINE float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

ORRERY_INLINE uint32_t bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

ORRERY_INLINE float float_of_bf16(uint16_t bits) { return float_of_bits((uint32_t)bits << 16); }

ORRERY_INLINE uint16_t bf16_of_float(float value) {
    uint32_t bits = bits_of_float(value);
    uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    uint32_t quiet = bits >> 16 | 0x40;
    return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? quiet : rounded);
}

ORRERY_INLINE float float_of_half(uint16_t half) {
    uint32_t magnitude = half & 0x7fff;
    uint32_t normal = (magnitude << 13) + (112u << 23); // the exponent's bias grows from 15 to 127
    uint32_t subnormal = bits_of_float((float)(int32_t)magnitude * 0x1p-24f);
    uint32_t quiet = magnitude > 0x7c00 ? 1u << 22 : 0;
    uint32_t special = 0x7f800000 | magnitude << 13 | quiet;
    uint32_t bits = magnitude >= 0x7c00 ? special : magnitude < 0x400 ? subnormal : normal;
    return float_of_bits(bits | (uint32_t)(half & 0x8000) << 16);
}

ORRERY_INLINE uint16_t half_of_float(float value) {
    uint32_t bits = bits_of_float(value);
    uint32_t magnitude = bits & 0x7fffffff;
    uint32_t normal = ((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13) - (112 << 10);
    // The sum with one half has steps of 2^-24, as the subnormal halves have: the addition rounds.
    uint32_t subnormal = bits_of_float(float_of_bits(magnitude) + 0.5f) - 0x3f000000;
    uint32_t nan = 0x7e00 | (magnitude >> 13 & 0x3ff);
    uint32_t half = magnitude < 0x38800000 ? subnormal : normal; // 2^-14
    if (magnitude >= 0x477ff000) half = 0x7c00;                  // 65520 and more round to infinity
    if (magnitude > 0x7f800000) half = nan;
    return (uint16_t)(half | (bits >> 16 & 0x8000));
}

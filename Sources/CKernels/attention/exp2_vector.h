// 2^x for x <= 0 (a little above does no harm) with nothing but adds, products and integers, for any vector type.
//
// x = n + r with n the nearest integer and r in [-1/2, 1/2]; a polynomial that is 1 at 0 gives 2^r within 9e-8, and n
// goes into the exponent. Below 2^-126 it is 0.
#pragma once

ORRERY_INLINE vector exp2_of(vector x) {
    const float rounder = 12582912.0f; // 1.5 * 2^23: adding it leaves no room for a fraction
    vector bounded = x < SPLAT(-126.0f) ? SPLAT(-126.0f) : x;
    vector shifted = bounded + rounder;
    vector r = bounded - (shifted - rounder);
    vector power = SPLAT(1.3264724733e-3f);
    power = power * r + 9.6715129912e-3f;
    power = power * r + 5.5507335812e-2f;
    power = power * r + 2.4022242427e-1f;
    power = power * r + 6.9314700365e-1f;
    power = power * r + 1.0f;
    lane_numbers n = (lane_numbers)shifted - 0x4b400000; // the bits of `rounder`
    vector scale = (vector)((n + 127) << 23);
    return x < SPLAT(-126.0f) ? SPLAT(0) : power * scale;
}

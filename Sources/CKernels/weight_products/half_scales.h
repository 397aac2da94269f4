// Float16 scales of 16 rows, `stride` bytes apart, in float32.
#pragma once

#include "../instruction_sets.h"

#include <string.h>

ORRERY_INLINE __m512 half_scales(const uint8_t *first, long stride) {
    uint16_t halves[16];
    ORRERY_UNROLL for (int i = 0; i < 16; i++) memcpy(halves + i, first + i * stride, 2);
    return _mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)halves));
}

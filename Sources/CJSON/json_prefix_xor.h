// Computes which bits have an odd number of set bits up to and including them, by a carry-less multiplication by all
// ones.
#ifndef ORRERY_JSON_PREFIX_XOR_H
#define ORRERY_JSON_PREFIX_XOR_H

#include <immintrin.h>
#include <stdint.h>

__attribute__((target("pclmul"), always_inline)) static inline uint64_t orrery_json_prefix_xor(uint64_t bits) {
    return (uint64_t)_mm_cvtsi128_si64(
        _mm_clmulepi64_si128(_mm_set_epi64x(0, (int64_t)bits), _mm_set1_epi8((char)0xFF), 0));
}

#endif

// The kernels of codes with AVX-512: one register of sixteen floats a vector.
#include "codes.h"
#include "instruction_sets.h"
#include "lanes.h"

#if defined(__x86_64__)

#define ORRERY_PATH(name) ORRERY_NAME_(name, avx512)
#define ORRERY_NAME_(name, path) ORRERY_NAME__(name, path)
#define ORRERY_NAME__(name, path) name##_##path

ORRERY_BEGIN_("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,popcnt")
#include "center_loops.h"
#include "row_loops.h"

ptrdiff_t orrery_codes_below_avx512(const float *values, ptrdiff_t count, float limit, int32_t *positions) {
    ptrdiff_t found = 0;
    __m512 limits = _mm512_set1_ps(limit);
    for (ptrdiff_t i = 0; i < count; i += 16) {
        __mmask16 present = count - i < 16 ? (__mmask16)((1u << (count - i)) - 1) : 0xFFFF;
        __m512 here = _mm512_maskz_loadu_ps(present, values + i);
        unsigned mask = _mm512_mask_cmp_ps_mask(present, here, limits, _CMP_LE_OQ);
        for (; mask; mask &= mask - 1) positions[found++] = (int32_t)i + __builtin_ctz(mask);
    }
    return found;
}
ORRERY_END

ORRERY_BEGIN_("avx512vpopcntdq,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c,popcnt")
void orrery_codes_hamming_vpopcnt(const uint64_t *x, const uint64_t *rows, ptrdiff_t words, ptrdiff_t count,
                                  uint16_t *out) {
    ptrdiff_t i = 0;
    if (words == 2) {
        // Four rows a register: 128 bits are the commonest.
        const __m512i query = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)x));
        for (; i + 8 <= count; i += 8) {
            __m512i low = _mm512_popcnt_epi64(_mm512_xor_si512(query, _mm512_loadu_si512(rows + 2 * i)));
            __m512i high = _mm512_popcnt_epi64(_mm512_xor_si512(query, _mm512_loadu_si512(rows + 2 * i + 8)));
            const __m512i evens = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
            const __m512i odds = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
            __m512i total = _mm512_add_epi64(_mm512_permutex2var_epi64(low, evens, high),
                                             _mm512_permutex2var_epi64(low, odds, high));
            _mm_storeu_si128((__m128i *)(out + i), _mm512_cvtepi64_epi16(total));
        }
    }
    for (; i < count; i++) {
        const uint64_t *row = rows + i * words;
        __m512i total = _mm512_setzero_si512();
        for (ptrdiff_t w = 0; w < words; w += 8) {
            __mmask8 present = words - w < 8 ? (__mmask8)((1u << (words - w)) - 1) : 0xFF;
            __m512i differing = _mm512_xor_si512(_mm512_maskz_loadu_epi64(present, x + w),
                                                 _mm512_maskz_loadu_epi64(present, row + w));
            total = _mm512_add_epi64(total, _mm512_popcnt_epi64(differing));
        }
        long long bits = _mm512_reduce_add_epi64(total);
        out[i] = (uint16_t)(bits < 65535 ? bits : 65535);
    }
}
ORRERY_END
#endif

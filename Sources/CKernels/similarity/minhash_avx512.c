// Minima of many hash functions over a set. The keys and minima of 64 functions stay in sixteen registers while the
// elements go by, so that an element costs two broadcasts and six instructions for every sixteen functions.
#include "instruction_sets.h"
#include "similarity.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

// Up to four registers of functions; `vectors` is a constant wherever this is called.
ORRERY_INLINE void lower(
    const uint64_t *elements, long count, const uint32_t *keys, uint32_t *minima, long lanes, const int vectors) {
    __m512i first[4];
    __m512i second[4];
    __m512i third[4];
    __m512i lowest[4];
    ORRERY_UNROLL
    for (int v = 0; v < vectors; v++) {
        first[v] = _mm512_loadu_si512(keys + 16 * v);
        second[v] = _mm512_loadu_si512(keys + lanes + 16 * v);
        third[v] = _mm512_loadu_si512(keys + 2 * lanes + 16 * v);
        lowest[v] = _mm512_loadu_si512(minima + 16 * v);
    }
    for (long i = 0; i < count; i++) {
        __m512i low = _mm512_set1_epi32((int)(uint32_t)elements[i]);
        __m512i high = _mm512_set1_epi32((int)(uint32_t)(elements[i] >> 32));
        ORRERY_UNROLL
        for (int v = 0; v < vectors; v++) {
            __m512i m = _mm512_mullo_epi32(_mm512_xor_si512(low, first[v]), second[v]);
            m = _mm512_add_epi32(_mm512_xor_si512(m, _mm512_srli_epi32(m, 15)), high);
            lowest[v] = _mm512_min_epu32(lowest[v], _mm512_mullo_epi32(m, third[v]));
        }
    }
    ORRERY_UNROLL
    for (int v = 0; v < vectors; v++) {
        _mm512_storeu_si512(minima + 16 * v, lowest[v]);
    }
}

void orrery_minhash_avx512(
    const uint64_t *elements, long count, const uint32_t *keys, uint32_t *minima, long lanes) {
    long lane = 0;
    for (; lane + 64 <= lanes; lane += 64) {
        lower(elements, count, keys + lane, minima + lane, lanes, 4);
    }
    for (; lane < lanes; lane += 16) {
        lower(elements, count, keys + lane, minima + lane, lanes, 1);
    }
}

ORRERY_END

#endif

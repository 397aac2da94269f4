// Minima of many hash functions over a set, sixteen functions in two registers of each kind.
#include "instruction_sets.h"
#include "similarity.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX2

ORRERY_INLINE __m256i load(const uint32_t *from) { return _mm256_loadu_si256((const __m256i *)from); }

void orrery_minhash_avx2(const uint64_t *elements, long count, const uint32_t *keys, uint32_t *minima, long lanes) {
    for (long group = 0; group < lanes; group += 16) {
        __m256i first[2];
        __m256i second[2];
        __m256i third[2];
        __m256i lowest[2];
        ORRERY_UNROLL
        for (int v = 0; v < 2; v++) {
            first[v] = load(keys + group + 8 * v);
            second[v] = load(keys + lanes + group + 8 * v);
            third[v] = load(keys + 2 * lanes + group + 8 * v);
            lowest[v] = load(minima + group + 8 * v);
        }
        for (long i = 0; i < count; i++) {
            __m256i low = _mm256_set1_epi32((int)(uint32_t)elements[i]);
            __m256i high = _mm256_set1_epi32((int)(uint32_t)(elements[i] >> 32));
            ORRERY_UNROLL
            for (int v = 0; v < 2; v++) {
                __m256i m = _mm256_mullo_epi32(_mm256_xor_si256(low, first[v]), second[v]);
                m = _mm256_add_epi32(_mm256_xor_si256(m, _mm256_srli_epi32(m, 15)), high);
                lowest[v] = _mm256_min_epu32(lowest[v], _mm256_mullo_epi32(m, third[v]));
            }
        }
        ORRERY_UNROLL
        for (int v = 0; v < 2; v++) {
            _mm256_storeu_si256((__m256i *)(minima + group + 8 * v), lowest[v]);
        }
    }
}

ORRERY_END

#endif

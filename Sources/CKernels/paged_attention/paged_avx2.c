// Paged attention for AVX2: blocks of 16 keys, 4 rows at a time (8 of 16 registers are sums).
#include "../scratch.h"
#include "paged_chunks.h"

#include <string.h>

#include "../instruction_sets.h"

#if defined(__x86_64__)
#include "../rows/exp_avx2.h"

ORRERY_BEGIN_AVX2

enum { LANES = 8, TILE_ROWS = 4 };
#define SPLAT(number) ((vector)(number))
typedef float vector __attribute__((ext_vector_type(8)));

ORRERY_INLINE vector load(const float *from) { return (vector)_mm256_loadu_ps(from); }
ORRERY_INLINE vector load_part(const float *from, int lanes) {
    __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return (vector)_mm256_maskload_ps(from, _mm256_cmpgt_epi32(_mm256_set1_epi32(lanes), numbers));
}
ORRERY_INLINE void store(float *to, vector x) { _mm256_storeu_ps(to, (__m256)x); }
ORRERY_INLINE vector exp_of(vector x) { return (vector)orrery_exp_avx2_8((__m256)x); }

#include "paged_tiles.h"
#include "paged_forward.h"

void orrery_paged_attention_avx2(orrery_paged_attention *call, long chunk) { forward(call, chunk); }

ORRERY_END
#endif

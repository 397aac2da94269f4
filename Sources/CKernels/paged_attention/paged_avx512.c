// Paged attention for AVX-512: blocks of 32 keys, 8 rows at a time (16 of 32 registers are sums).
#include "../scratch.h"
#include "paged_chunks.h"

#include <string.h>

#include "../instruction_sets.h"

#if defined(__x86_64__)
#include "../rows/exp_avx512.h"

ORRERY_BEGIN_AVX512

enum { LANES = 16, TILE_ROWS = 8 };
#define SPLAT(number) ((vector)(number))
typedef float vector __attribute__((ext_vector_type(16)));

ORRERY_INLINE vector load(const float *from) { return (vector)_mm512_loadu_ps(from); }
ORRERY_INLINE vector load_part(const float *from, int lanes) {
    return (vector)_mm512_maskz_loadu_ps((__mmask16)((1u << lanes) - 1), from);
}
ORRERY_INLINE void store(float *to, vector x) { _mm512_storeu_ps(to, (__m512)x); }
ORRERY_INLINE vector exp_of(vector x) { return (vector)orrery_exp_ps((__m512)x); }

#include "paged_tiles.h"
#include "paged_forward.h"

void orrery_paged_attention_avx512(orrery_paged_attention *call, long chunk) { forward(call, chunk); }

ORRERY_END
#endif

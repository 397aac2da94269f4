// Paged attention for any processor: the compiler's own vectors of four, blocks of 8 keys, 4 rows at a time.
#include "../scratch.h"
#include "paged_chunks.h"

#include <string.h>

#include "../instruction_sets.h"
#include "../rows/exp_portable.h"

enum { LANES = 4, TILE_ROWS = 4 };
#define SPLAT(number) ((vector)(number))
typedef float vector __attribute__((ext_vector_type(4)));
typedef float unaligned_vector __attribute__((ext_vector_type(4), aligned(4)));

ORRERY_INLINE vector load(const float *from) { return *(const unaligned_vector *)from; }
ORRERY_INLINE vector load_part(const float *from, int lanes) {
    vector x = SPLAT(0);
    for (int lane = 0; lane < lanes; lane++) x[lane] = from[lane];
    return x;
}
ORRERY_INLINE void store(float *to, vector x) { *(unaligned_vector *)to = x; }
ORRERY_INLINE vector exp_of(vector x) {
    ORRERY_UNROLL for (int lane = 0; lane < LANES; lane++) x[lane] = orrery_exp_portable_one(x[lane]);
    return x;
}

#include "paged_tiles.h"
#include "paged_forward.h"

void orrery_paged_attention_portable(orrery_paged_attention *call, long chunk) { forward(call, chunk); }

// Flash attention for AVX2: panels of 16 rows, tiles of 6 rows by 2 vectors (12 of 16 registers are sums).
#include "../scratch.h"
#include "attention_rows.h"

#include <math.h>
#include <string.h>

#include "../instruction_sets.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2

enum { LANES = 8, VECTORS = 2 };
#define TILE_ROWS(vectors) ((vectors) == 2 ? 6 : 12)
#define SPLAT(number) ((vector)(number))
typedef float vector __attribute__((ext_vector_type(8)));
typedef int lane_numbers __attribute__((ext_vector_type(8)));

#include "exp2_vector.h"
#include "panel_products.h"
#include "panel.h"
#include "flash_forward.h"
#include "flash_backward.h"

void orrery_attention_forward_avx2(orrery_attention *call, long chunk) { forward(call, chunk); }
void orrery_attention_backward_queries_avx2(orrery_attention *call, long chunk) { backward_queries(call, chunk); }
void orrery_attention_backward_keys_avx2(orrery_attention *call, long chunk) { backward_keys(call, chunk); }

ORRERY_END
#endif

// Flash attention for any processor: the compiler's own vectors of four, two side by side, tiles of 6 rows.
#include "../scratch.h"
#include "attention_rows.h"

#include <math.h>
#include <string.h>

#include "../instruction_sets.h"

enum { LANES = 4, VECTORS = 2 };
#define TILE_ROWS(vectors) ((vectors) == 2 ? 6 : 12)
#define SPLAT(number) ((vector)(number))
typedef float vector __attribute__((ext_vector_type(4)));
typedef int lane_numbers __attribute__((ext_vector_type(4)));

#include "exp2_vector.h"
#include "panel_products.h"
#include "panel.h"
#include "flash_forward.h"
#include "flash_backward.h"

void orrery_attention_forward_portable(orrery_attention *call, long chunk) { forward(call, chunk); }
void orrery_attention_backward_queries_portable(orrery_attention *call, long chunk) { backward_queries(call, chunk); }
void orrery_attention_backward_keys_portable(orrery_attention *call, long chunk) { backward_keys(call, chunk); }

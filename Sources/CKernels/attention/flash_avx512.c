// Flash attention for AVX-512: panels of 64 rows, tiles of 6 rows by 4 vectors (24 of 32 registers are sums).
#include "../scratch.h"
#include "attention_rows.h"

#include <math.h>
#include <string.h>

#include "../instruction_sets.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512

enum { LANES = 16, VECTORS = 4 };
#define TILE_ROWS(vectors) ((vectors) == 4 ? 6 : 12)
#define SPLAT(number) ((vector)(number))
typedef float vector __attribute__((ext_vector_type(16)));
typedef int lane_numbers __attribute__((ext_vector_type(16)));

// 2^x: with r = x - ⌊x⌋ a polynomial that is 1 at 0 gives 2^r within 9e-8, and vscalefps scales it by 2^⌊x⌋.
// Not e^x of rows/: in base 2 the factor log2 e is paid once a query, not once a score, which the whole feels (1.4 %).
ORRERY_INLINE vector exp2_of(vector x) {
    vector r = (vector)_mm512_reduce_ps((__m512)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    vector power = SPLAT(1.8671301659e-3f);
    power = power * r + 9.0170297772e-3f;
    power = power * r + 5.5799912661e-2f;
    power = power * r + 2.4016444385e-1f;
    power = power * r + 6.9315129519e-1f;
    power = power * r + 1.0f;
    return (vector)_mm512_scalef_ps((__m512)power, (__m512)x);
}

#include "panel_products.h"
#include "panel.h"
#include "flash_forward.h"
#include "flash_backward.h"

void orrery_attention_forward_avx512(orrery_attention *call, long chunk) { forward(call, chunk); }
void orrery_attention_backward_queries_avx512(orrery_attention *call, long chunk) { backward_queries(call, chunk); }
void orrery_attention_backward_keys_avx512(orrery_attention *call, long chunk) { backward_keys(call, chunk); }

ORRERY_END
#endif

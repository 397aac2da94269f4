// The sixth rung: 6 x 32 elements in 24 of the 32 registers of AVX-512. Of the tiles that fit, the one with the fewest
// loads: 10 for 24 multiply-adds, where 14 x 16 needs 16 for 28.
#include "../instruction_sets.h"
#include "matrix_product.h"
#include "../scratch.h"

#include <string.h>

#if defined(__x86_64__)
#define ELEMENT double
#define LANES 8
#define TILE_VECTORS 4
#define PRODUCT orrery_dgemm
#define NAME(part) orrery_dgemm_##part##avx512
#define MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)

ORRERY_BEGIN_AVX512
#include "product.h"
ORRERY_END
#endif

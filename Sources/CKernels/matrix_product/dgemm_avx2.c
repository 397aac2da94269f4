// The fifth rung: 6 x 8 elements in 12 of the 16 registers of AVX2, multiplied and added in one instruction.
#include "../instruction_sets.h"
#include "matrix_product.h"
#include "../scratch.h"

#include <string.h>

#if defined(__x86_64__)
#define ELEMENT double
#define LANES 4
#define TILE_VECTORS 2
#define PRODUCT orrery_dgemm
#define NAME(part) orrery_dgemm_##part##avx2
#define MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)

ORRERY_BEGIN_AVX2
#include "product.h"
ORRERY_END
#endif

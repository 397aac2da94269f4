// The fourth rung, and what runs where a processor has no wider vectors: tiles in registers and packed panels, with
// vectors of 16 bytes in the compiler's own notation. 6 x 4 elements take 12 of the 16 registers of SSE2.
#include "../instruction_sets.h"
#include "matrix_product.h"
#include "../scratch.h"

#include <string.h>

#define ELEMENT double
#define LANES 2
#define TILE_VECTORS 2
#define PRODUCT orrery_dgemm
#define NAME(part) orrery_dgemm_##part##portable
#if defined(__aarch64__)
#define MULTIPLY_ADD(a, b, c) __builtin_elementwise_fma(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

#include "product.h"

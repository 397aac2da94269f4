// The innermost loop of a product by panels of words: a tile of C that stays in registers.
//
// Each step takes one row of words of a panel of B and one word of each row of a panel of A, and multiplies and adds
// them to every vector of the tile: with 6 rows and 4 vectors 24 multiply-adds need 10 loads. Whatever the words hold,
// the loops are the same.
//
// The file that includes this one defines SUM (float or uint32_t), LANES (words of a vector), ROWS (4 or 6) and VECTORS
// (of a tile), MULTIPLY_ADD(sum, left, right), and HEADER where each panel of B begins with words at which sums start.

// Four steps at once need room next to the sums: with 16 registers instead of 32 the int8 tile of AVX2 lost an eighth.
enum { COLUMNS = VECTORS * LANES, STEPS_AT_ONCE = LANES == 16 ? 4 : 1 };

#ifndef HEADER
#define HEADER 0
#endif

typedef SUM sums __attribute__((vector_size(4 * LANES)));
typedef uint32_t words __attribute__((vector_size(4 * LANES)));
typedef SUM sums_in_memory __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef uint32_t words_in_memory __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

// C[i][j] (+)= sum over p < depth of the products in the words a[p * ROWS + i] and b[p * COLUMNS + j].
ORRERY_INLINE void compute_tile(
    const int rows, long depth, const uint32_t *a, const uint32_t *b, SUM *c, long stride, int accumulate) {
    sums sum[ROWS * VECTORS];
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            sum[i * VECTORS + v] = HEADER ? *(const sums_in_memory *)(b + LANES * v) : (sums){0};
            __builtin_prefetch(c + i * stride + LANES * v, 0, 3);
        }
    }
    b += HEADER;
#pragma clang loop unroll_count(STEPS_AT_ONCE)
    for (long p = 0; p < depth; p++) {
        words right[VECTORS];
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) right[v] = *(const words_in_memory *)(b + LANES * v);
        ORRERY_UNROLL for (int i = 0; i < rows; i++) {
            words left = a[i] - (words){0};
            ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
                sum[i * VECTORS + v] = MULTIPLY_ADD(sum[i * VECTORS + v], left, right[v]);
            }
        }
        a += ROWS;
        b += COLUMNS;
    }
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            sums_in_memory *place = (sums_in_memory *)(c + i * stride + LANES * v);
            sums before = accumulate ? *place : (sums){0};
            *place = before + sum[i * VECTORS + v];
        }
    }
}

// One copy of the loops for each number of rows, so that they are unrolled and the sums stay in registers.
static void tile(int rows, long depth, const uint32_t *a, const uint32_t *b, void *c, long stride, int accumulate) {
    switch (rows) {
    case 1: compute_tile(1, depth, a, b, c, stride, accumulate); break;
    case 2: compute_tile(2, depth, a, b, c, stride, accumulate); break;
    case 3: compute_tile(3, depth, a, b, c, stride, accumulate); break;
#if ROWS > 4
    case 4: compute_tile(4, depth, a, b, c, stride, accumulate); break;
    case 5: compute_tile(5, depth, a, b, c, stride, accumulate); break;
#endif
    default: compute_tile(ROWS, depth, a, b, c, stride, accumulate);
    }
}

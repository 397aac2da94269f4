// The tile of float_rows_avx512.c: up to six rows of W, widened, by up to four vectors of rows of x, in 24 of the 32
// registers of AVX-512; a step loads four vectors of x and spreads six weights.
//
// The arithmetic leaves loads and stores idle, and the rows of W that come next need both. So a tile runs an errand on
// the way: every 16 steps it widens 16 columns of some of the next rows and fetches those of the rows after them. By
// itself that work would take a tenth of the time of 128 rows of x, since a panel of x has meanwhile taken the place of
// what it reads and writes in the first-level cache: on a busy Zen 5 the product ran at 218 GFLOP/s instead of 201.
#include "widen_avx512.h"

enum { TILE_ROWS = 6, TILE_VECTORS = 4, LANES = 16, PANEL = TILE_VECTORS * LANES, DEPTH = 384 };

typedef struct {
    const orrery_weight_product *product;
    place from;          // the first weight that is widened
    long rows, columns;  // of them; no more columns than the tile has steps
    float *to;           // where the first row goes; they lie DEPTH apart
    const char *fetched; // the first weight that is fetched
    long fetched_rows;
    const char *ahead;   // memory that is fetched as well, a line per step; or null
} errand;

// What is due at step k.
ORRERY_INLINE void run_errand(const errand *e, long k) {
    if (k >= e->columns) return;
    const long row_bytes = bytes_of(e->product, e->product->columns), offset = bytes_of(e->product, k);
    for (long i = 0; i < e->rows; i++) {
        place from = {e->product, e->from.bytes + i * row_bytes + offset, e->from.row + i, e->from.column + k};
        _mm512_store_ps(e->to + i * DEPTH + k, widen(from, e->columns - k));
    }
    for (long i = 0; i < e->fetched_rows; i++) __builtin_prefetch(e->fetched + i * row_bytes + offset, 0, 3);
}

// sums[i][j] (+)= sum over k < depth of wide[i][k] * x[k][j].
ORRERY_INLINE void compute_tile(
    const int rows, const int vectors, long depth, const float *restrict wide, const float *restrict x,
    float *restrict sums, long sums_row, int add, const errand *e) {
    __m512 sum[TILE_ROWS * TILE_VECTORS];
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int j = 0; j < vectors; j++) {
            sum[i * vectors + j] = _mm512_setzero_ps();
            __builtin_prefetch(sums + i * sums_row + LANES * j, 1, 3);
        }
    }
#define STEP(k) \
    { \
        __m512 row_of_x[TILE_VECTORS]; \
        ORRERY_UNROLL for (int j = 0; j < vectors; j++) { \
            row_of_x[j] = _mm512_load_ps(x + ((k) * vectors + j) * LANES); \
        } \
        ORRERY_UNROLL for (int i = 0; i < rows; i++) { \
            __m512 weight = _mm512_set1_ps(wide[i * DEPTH + (k)]); \
            ORRERY_UNROLL for (int j = 0; j < vectors; j++) { \
                sum[i * vectors + j] = _mm512_fmadd_ps(weight, row_of_x[j], sum[i * vectors + j]); \
            } \
        } \
    }
    long k = 0;
    for (; k + 4 <= depth; k += 4) {
        if (k % 16 == 0) run_errand(e, k);
        if (e->ahead) {
            ORRERY_UNROLL for (int line = 0; line < 4; line++) __builtin_prefetch(e->ahead + (k + line) * 64, 0, 3);
        }
        STEP(0) STEP(1) STEP(2) STEP(3)
        wide += 4;
        x += 4 * vectors * LANES;
    }
    if (k % 16 == 0 && k < depth) run_errand(e, k);
    for (; k < depth; k++) {
        STEP(0)
        wide++;
        x += vectors * LANES;
    }
#undef STEP
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int j = 0; j < vectors; j++) {
            float *to = sums + i * sums_row + LANES * j;
            __m512 before = add ? _mm512_load_ps(to) : _mm512_setzero_ps();
            _mm512_store_ps(to, _mm512_add_ps(before, sum[i * vectors + j]));
        }
    }
}

// One function for each size of tile, so that the loops over the tile are unrolled and its sums stay in registers.
typedef void tile_function(
    long depth, const float *wide, const float *x, float *sums, long sums_row, int add, const errand *e);

#define TILE(rows, vectors) \
    static __attribute__((noinline)) void tile_##rows##_##vectors( \
        long depth, const float *wide, const float *x, float *sums, long sums_row, int add, const errand *e) { \
        compute_tile(rows, vectors, depth, wide, x, sums, sums_row, add, e); \
    }
#define TILES_OF_WIDTH(vectors) \
    TILE(1, vectors) TILE(2, vectors) TILE(3, vectors) TILE(4, vectors) TILE(5, vectors) TILE(6, vectors)
#define TABLE(vectors) \
    { \
        tile_1_##vectors, tile_2_##vectors, tile_3_##vectors, tile_4_##vectors, tile_5_##vectors, tile_6_##vectors \
    }

TILES_OF_WIDTH(1)
TILES_OF_WIDTH(2)
TILES_OF_WIDTH(3)
TILES_OF_WIDTH(4)
// [vectors - 1][rows - 1]
static tile_function *const tiles[TILE_VECTORS][TILE_ROWS] = {TABLE(1), TABLE(2), TABLE(3), TABLE(4)};

// The innermost loop of the upper rungs: a tile of C that stays in registers.
//
// A tile is up to TILE_ROWS rows by up to TILE_VECTORS vectors of C. Each step of the sum takes one row of a panel of B
// (contiguous) and one element of each row of A, and multiplies and adds them to every vector of the tile: with 6 rows
// and 4 vectors 24 multiply-adds need 10 loads, and no addition waits for the previous one.
//
// The file that includes this one defines ELEMENT, LANES (elements of a vector), TILE_VECTORS and MULTIPLY_ADD.

enum { TILE_ROWS = 6, PANEL = TILE_VECTORS * LANES };

typedef ELEMENT vector __attribute__((vector_size(LANES * sizeof(ELEMENT))));
typedef ELEMENT unaligned_vector __attribute__((vector_size(LANES * sizeof(ELEMENT)), aligned(sizeof(ELEMENT))));

// C[i][j] (+)= sum over p < depth of a[i * a_row + p * a_column] * b[p * vectors * LANES + j].
//
// `ahead`, unless null, is fetched a line per step: the part of B that comes next, where B streams from memory. It is
// asked for at the first level, whence it sinks to the second: 32 rows against 4096 x 4096 weights ran at 208 GFLOP/s
// on a Zen 5, and at 165 when it was asked for at the second.
ORRERY_INLINE void compute_tile(
    const int rows, const int vectors, long depth, const ELEMENT *restrict a, long a_row, const long a_column,
    const ELEMENT *restrict b, ELEMENT *restrict c, long c_row, int add, const char *ahead) {
    vector sum[TILE_ROWS * TILE_VECTORS];
    ORRERY_UNROLL for (int i = 0; i < rows * vectors; i++) sum[i] = (vector){0};
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int j = 0; j < vectors; j++) __builtin_prefetch(c + i * c_row + j * LANES, 1, 3);
    }
#define STEP(p) \
    { \
        vector row_of_b[TILE_VECTORS]; \
        ORRERY_UNROLL for (int j = 0; j < vectors; j++) { \
            row_of_b[j] = *(const vector *)(b + (p) * vectors * LANES + j * LANES); \
        } \
        ORRERY_UNROLL for (int i = 0; i < rows; i++) { \
            vector factor = a[i * a_row + (p) * a_column] - (vector){0}; \
            ORRERY_UNROLL for (int j = 0; j < vectors; j++) { \
                sum[i * vectors + j] = MULTIPLY_ADD(factor, row_of_b[j], sum[i * vectors + j]); \
            } \
        } \
    }
    long p = 0;
    for (; p + 4 <= depth; p += 4) {
        if (ahead) {
            ORRERY_UNROLL for (int line = 0; line < 4; line++) __builtin_prefetch(ahead + 64 * line, 0, 3);
            ahead += 4 * 64;
        }
        STEP(0) STEP(1) STEP(2) STEP(3)
        a += 4 * a_column;
        b += 4 * vectors * LANES;
    }
    for (; p < depth; p++) {
        STEP(0)
        a += a_column;
        b += vectors * LANES;
    }
#undef STEP
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int j = 0; j < vectors; j++) {
            unaligned_vector *to = (unaligned_vector *)(c + i * c_row + j * LANES);
            *to = add ? *to + sum[i * vectors + j] : sum[i * vectors + j];
        }
    }
}

// One function for each size of tile, so that the loops over the tile are unrolled and its sums stay in registers: for
// A in place, its columns one after the other; for A packed, TILE_ROWS elements a step; and for the transpose of a
// matrix in place, its rows one after the other. `a_step` is what is between rows of A, in the last case columns.
typedef void tile_function(
    long depth, const ELEMENT *a, long a_step, const ELEMENT *b, ELEMENT *c, long c_row, int add, const char *ahead);

#define TILE(name, rows, vectors, row_stride, column_stride) \
    static __attribute__((noinline)) void name( \
        long depth, const ELEMENT *a, long a_step, const ELEMENT *b, ELEMENT *c, long c_row, int add, \
        const char *ahead) { \
        (void)a_step; \
        compute_tile(rows, vectors, depth, a, row_stride, column_stride, b, c, c_row, add, ahead); \
    }
#define TILES(rows, vectors) \
    TILE(in_place_##rows##_##vectors, rows, vectors, a_step, 1) \
    TILE(packed_##rows##_##vectors, rows, vectors, 1, TILE_ROWS) \
    TILE(transposed_##rows##_##vectors, rows, vectors, 1, a_step)
#define TILES_OF_WIDTH(vectors) \
    TILES(1, vectors) TILES(2, vectors) TILES(3, vectors) TILES(4, vectors) TILES(5, vectors) TILES(6, vectors)
#define TABLE(kind, vectors) \
    { \
        kind##_1_##vectors, kind##_2_##vectors, kind##_3_##vectors, \
        kind##_4_##vectors, kind##_5_##vectors, kind##_6_##vectors \
    }

enum how_a_lies { IN_PLACE, PACKED, TRANSPOSED };

TILES_OF_WIDTH(1)
TILES_OF_WIDTH(2)
#if TILE_VECTORS == 4
TILES_OF_WIDTH(3)
TILES_OF_WIDTH(4)
// [how_a_lies][vectors - 1][rows - 1]
static tile_function *const tiles[3][TILE_VECTORS][TILE_ROWS] = {
    {TABLE(in_place, 1), TABLE(in_place, 2), TABLE(in_place, 3), TABLE(in_place, 4)},
    {TABLE(packed, 1), TABLE(packed, 2), TABLE(packed, 3), TABLE(packed, 4)},
    {TABLE(transposed, 1), TABLE(transposed, 2), TABLE(transposed, 3), TABLE(transposed, 4)},
};
#else
static tile_function *const tiles[3][TILE_VECTORS][TILE_ROWS] = {
    {TABLE(in_place, 1), TABLE(in_place, 2)},
    {TABLE(packed, 1), TABLE(packed, 2)},
    {TABLE(transposed, 1), TABLE(transposed, 2)},
};
#endif

// The loops around the tile (Goto and van de Geijn, Anatomy of High-Performance Matrix Multiplication, 2008), with the
// roles of the caches exchanged: a block of B waits in the second-level cache, a few rows of A in the first.
//
//   for each chunk of C            rows x a strip of columns; threads take chunks
//     for each block of the sum    ORRERY_PRODUCT_DEPTH terms
//       pack the block of B        [depth, strip], at most 768 KiB: it stays in the second-level cache
//       for each tile of rows      6 rows of A, 9 KiB in float32: they stay in the first-level cache
//         for each panel of B
//           the tile               adds to C, which is read and written once a block
//
// A panel of B does not fit next to anything in a first-level cache of 32 or 48 KiB. It need not: a tile of 6 x 4
// vectors takes it from the second-level cache at 21 bytes a cycle, a third of what that delivers. A stays unpacked,
// and so does the transpose of a matrix of short rows, whose lines the second-level cache holds next to the block of B:
// the gradient of 512 x 128 weights over 2,048 rows rose from 177 to 230 GFLOP/s. Packed are transposes of long rows,
// which would meet in few sets of the cache, and what has strides in both directions.
//
// The file that includes this one includes matrix_product.h, scratch.h and string.h before and defines ELEMENT, LANES,
// TILE_VECTORS, MULTIPLY_ADD, PRODUCT (orrery_sgemm) and NAME(chunks_) (orrery_sgemm_chunks_avx512).
#include "tile.h"

typedef struct {
    long first, count;
} range;

#include "panels.h"

#include "single_row.h"

enum {
    STRIP = 2048 / sizeof(ELEMENT), // maximum columns of a chunk
    FEW_ROWS = 64,                  // so few that memory, not arithmetic, may be the limit
    ENOUGH_PANELS = 4,              // to hide the cost of fetching A ahead; narrower products have a small A
    PACKED_TILES = 16,              // tiles of A that are packed at a time, where they must be
    SHORT_ROW = 3072 / sizeof(ELEMENT), // so short that a transpose is read in place
};

static long least(long a, long b) { return a < b ? a : b; }

static long quotient_up(long a, long b) { return (a + b - 1) / b; }

// Part number `index` of `parts` as equal as whole elements allow.
static range part(long count, long parts, long index) {
    long first = count * index / parts;
    return (range){first, count * (index + 1) / parts - first};
}

// How a product is cut: by its sizes alone, into four chunks or more, for balance between threads. A strip costs A
// another reading (another packing, where A is packed: then rows are cut first), a part of the rows B another packing.
typedef struct {
    long strip, strips, row_parts;
} cut;

static int reads_single_row(const PRODUCT *x) { return x->rows == 1 && !x->panels && x->b_column == 1; }

static enum how_a_lies lie_of(const PRODUCT *x) {
    if (x->a_column == 1) return IN_PLACE;
    return x->a_row == 1 && x->a_column > 0 && x->a_column <= SHORT_ROW ? TRANSPOSED : PACKED;
}

static cut cut_of(const PRODUCT *x) {
    long wanted = quotient_up(x->columns, lie_of(x) == PACKED ? 1 : 4), fewest_rows = x->a_column == 1 ? 512 : 64;
    cut result = {.strip = least(STRIP, quotient_up(wanted, PANEL) * PANEL)};
    if (reads_single_row(x)) result.strip = least(quotient_up(wanted, PANEL) * PANEL, SINGLE_ROW_COLUMNS);
    if (x->panels && x->rows <= FEW_ROWS) result.strip = PANEL; // streams through the cache once
    result.strips = quotient_up(x->columns, result.strip);
    long parts = least(x->rows / (x->panels ? 64 : fewest_rows), quotient_up(4, result.strips));
    result.row_parts = parts > 1 ? parts : 1;
    return result;
}

// What one chunk computes: these rows and columns of C, by the whole sum.
typedef struct {
    const PRODUCT *x;
    range rows, columns;
    ELEMENT *packed_b, *packed_a; // scratch memory of this thread; null where B, or A, is read as it is
} work;

// Fetches the share of the next tile's rows of A that is due while this panel is busy: they lie a row apart in
// memory, where no processor looks ahead by itself.
static void fetch_next_rows(const work *w, range next, range block, long panel, long panels) {
    const PRODUCT *x = w->x;
    range lines = part(quotient_up(block.count * (long)sizeof(ELEMENT), 64), panels, panel);
    for (long i = 0; i < next.count; i++) {
        const ELEMENT *row = x->a + (w->rows.first + next.first + i) * x->a_row + block.first;
        for (long line = lines.first; line < lines.first + lines.count; line++) {
            __builtin_prefetch((const char *)row + 64 * line, 0, 3);
        }
    }
}

// Packs the rows of the next tiles of A, from tile `first` on.
static void pack_next_rows(const work *w, range block, long first, long tile_count) {
    const PRODUCT *x = w->x;
    range rows_of_tile[PACKED_TILES];
    long count = least(PACKED_TILES, tile_count - first);
    for (long t = 0; t < count; t++) rows_of_tile[t] = part(w->rows.count, tile_count, first + t);
    const ELEMENT *a = x->a + w->rows.first * x->a_row + block.first * x->a_column;
    pack_rows(a, x->a_row, x->a_column, rows_of_tile, count, block.count, w->packed_a);
}

// A tile whose last vector sticks out of C: it goes through memory of its own.
static void multiply_border_tile(
    tile_function *tile, range block, const ELEMENT *a, long a_step, const ELEMENT *panel, ELEMENT *c, long c_row,
    long rows, long columns, int add) {
    _Alignas(64) ELEMENT whole[TILE_ROWS * PANEL];
    tile(block.count, a, a_step, panel, whole, PANEL, 0, 0);
    for (long i = 0; i < rows; i++) {
        for (long j = 0; j < columns; j++) {
            ELEMENT *to = c + i * c_row + j;
            *to = add ? *to + whole[i * PANEL + j] : whole[i * PANEL + j];
        }
    }
}

// All tiles of the chunk, for one block of the sum.
static void multiply_block(const work *w, range block) {
    const PRODUCT *x = w->x;
    const int add = x->accumulate || block.first > 0;
    const long tile_count = quotient_up(w->rows.count, TILE_ROWS), panels = quotient_up(w->columns.count, PANEL);
    const enum how_a_lies lie = lie_of(x);
    const long a_step = lie == TRANSPOSED ? x->a_column : x->a_row;
    const int streams = x->panels && x->rows <= FEW_ROWS && tile_count > 1;
    for (long t = 0; t < tile_count; t++) {
        range tile = part(w->rows.count, tile_count, t);
        range next = part(w->rows.count, tile_count, least(t + 1, tile_count - 1));
        const ELEMENT *a = x->a + (w->rows.first + tile.first) * x->a_row + block.first * x->a_column;
        if (w->packed_a && t % PACKED_TILES == 0) pack_next_rows(w, block, t, tile_count);
        const ELEMENT *rows_of_a = w->packed_a ? w->packed_a + t % PACKED_TILES * block.count * TILE_ROWS : a;
        for (long j = 0; j < panels; j++) {
            const long column = w->columns.first + j * PANEL, columns = least(PANEL, x->columns - column);
            const long width = panel_width(columns), vectors = width / LANES;
            const ELEMENT *panel = x->panels ? x->panels + column * x->inner + block.first * width
                                             : w->packed_b + j * PANEL * block.count;
            // The next block of B, in as many parts of a line per step as it has; each is left to one of the first tiles.
            const char *ahead = streams && t < PANEL * (long)sizeof(ELEMENT) / 64
                ? (const char *)(panel + block.count * width) + t * block.count * 64 : 0;
            tile_function *function = tiles[lie][vectors - 1][tile.count - 1];
            ELEMENT *c = x->c + (w->rows.first + tile.first) * x->c_row + column;
            if (lie == IN_PLACE && panels >= ENOUGH_PANELS) fetch_next_rows(w, next, block, j, panels);
            if (columns == width) {
                function(block.count, rows_of_a, a_step, panel, c, x->c_row, add, ahead);
            } else {
                multiply_border_tile(
                    function, block, rows_of_a, a_step, panel, c, x->c_row, tile.count, columns, add);
            }
        }
    }
}

static void pack_block(const work *w, range block) {
    const PRODUCT *x = w->x;
    for (long j = 0; j < w->columns.count; j += PANEL) {
        const ELEMENT *b = x->b + block.first * x->b_row + (w->columns.first + j) * x->b_column;
        long columns = least(PANEL, w->columns.count - j);
        pack_panel(b, x->b_row, x->b_column, block.count, columns, w->packed_b + j * block.count);
    }
}

long NAME(chunks_)(const PRODUCT *x) {
    if (x->rows < 1 || x->columns < 1) return 0;
    cut by = cut_of(x);
    return by.strips * by.row_parts;
}

int NAME()(const PRODUCT *x, long chunk) {
    cut by = cut_of(x);
    work w = {.x = x, .rows = part(x->rows, by.row_parts, chunk % by.row_parts)};
    w.columns.first = chunk / by.row_parts * by.strip;
    w.columns.count = least(by.strip, x->columns - w.columns.first);
    if (x->inner == 0) {
        for (long i = 0; !x->accumulate && i < w.rows.count; i++) {
            memset(x->c + (w.rows.first + i) * x->c_row + w.columns.first, 0, w.columns.count * sizeof(ELEMENT));
        }
        return 0;
    }
    if (reads_single_row(x)) {
        multiply_single_row(
            x->a, x->a_column, x->b + w.columns.first, x->b_row, x->inner, x->c + w.columns.first, w.columns.count,
            x->accumulate);
        return 0;
    }
    if (!x->panels) {
        w.packed_b = orrery_scratch(ORRERY_SCRATCH_B, sizeof(ELEMENT) * ORRERY_PRODUCT_DEPTH * STRIP);
        if (!w.packed_b) return -1;
    }
    if (lie_of(x) == PACKED) {
        w.packed_a = orrery_scratch(
            ORRERY_SCRATCH_A, sizeof(ELEMENT) * ORRERY_PRODUCT_DEPTH * TILE_ROWS * PACKED_TILES);
        if (!w.packed_a) return -1;
    }
    for (long first = 0; first < x->inner; first += ORRERY_PRODUCT_DEPTH) {
        range block = {first, least(ORRERY_PRODUCT_DEPTH, x->inner - first)};
        if (!x->panels) pack_block(&w, block);
        multiply_block(&w, block);
    }
    return 0;
}

long NAME(lanes_)(void) { return LANES; }

long NAME(pack_chunks_)(long columns) { return quotient_up(columns, PANEL); }

void NAME(pack_)(const PRODUCT *x, long chunk, ELEMENT *panels) {
    long column = chunk * PANEL, columns = least(PANEL, x->columns - column);
    pack_panel(x->b + column * x->b_column, x->b_row, x->b_column, x->inner, columns, panels + column * x->inner);
}

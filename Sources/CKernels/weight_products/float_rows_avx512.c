// Weights of f32, f16, bf16 and nf4 in float32, with rows of x in the lanes: W is read along its rows, as it lies.
//
// Six rows of W, 384 columns each, are widened to 9 KiB and meet panels of x transposed, 96 KiB for 64 rows of x, which
// wait in the second-level cache. Panels of W would need shuffles and fill that cache again for every 64 rows of it.
//
//   for each chunk of rows of W          threads take chunks
//     for each block of 384 columns      a sum is broken at its multiples
//       for each six rows of W
//         for each 64 rows of x          a panel of x
//           the tile                     adds to y transposed, in memory of this thread; widens what is next
//     transpose y                        once for all columns
#include "panel_kernels.h"

#include "../instruction_sets.h"
#include "../scratch.h"

#include <string.h>

#if defined(__x86_64__)
enum { CHUNKS = 8, LARGEST_CHUNK = 384, LARGEST_M = 256 };

ORRERY_BEGIN_AVX512
#include "row_tile.h"
#include "transpose_words.h"

// m up to whole vectors: what a row of y transposed takes.
static long width_of(long m) { return quotient_up(m, LANES) * LANES; }

// Panel after panel of a block of columns, a panel being [columns][its rows of x, up to whole vectors].
static float *activations_of(const orrery_weight_product *p, long column) {
    return (float *)p->activations + column * width_of(p->m);
}

// Squares of 16 by 16, transposed; lanes beyond m are zero.
static void pack_activations(const orrery_panel_kernel *kernel, const orrery_weight_product *p, long chunk) {
    (void)kernel;
    long panels = quotient_up(p->m, PANEL), column = chunk / panels * DEPTH, first = chunk % panels * PANEL;
    long depth = least(DEPTH, p->columns - column), rows = least(PANEL, p->m - first), width = width_of(rows);
    float *panel = activations_of(p, column) + first * depth;
    for (long row = 0; row < rows; row += 16) {
        for (long k = 0; k < depth; k += 16) {
            __m512i words[16];
            ORRERY_UNROLL for (int i = 0; i < 16; i++) {
                const float *x = p->x + (first + least(row + i, rows - 1)) * p->x_row + column + k;
                words[i] = _mm512_maskz_loadu_epi32(row + i < rows ? lanes(depth - k) : 0, x);
            }
            transpose_words(words);
            long left = depth - k;
            ORRERY_UNROLL for (int i = 0; i < 16; i++) {
                if (i < left) _mm512_store_si512(panel + (k + i) * width + row, words[i]);
            }
        }
    }
}

// y[.., rows] = the transpose of sums[rows.count][width]: along the rows of y, which lie far apart.
static void transpose_sums(const orrery_weight_product *p, span rows, const float *sums, long width) {
    for (long m = 0; m < p->m; m += 16) {
        for (long row = 0; row < rows.count; row += 16) {
            __mmask16 inside = lanes(rows.count - row);
            __m512i words[16];
            ORRERY_UNROLL for (int i = 0; i < 16; i++) {
                words[i] = _mm512_load_si512(sums + least(row + i, rows.count - 1) * width + m);
            }
            transpose_words(words);
            long left = p->m - m;
            ORRERY_UNROLL for (int i = 0; i < 16; i++) {
                float *y = p->y + (m + i) * p->y_row + rows.first + row;
                if (i < left) _mm512_mask_storeu_epi32(y, inside, words[i]);
            }
        }
    }
}

// A tile's share of W: some rows, some columns. They follow each other along the rows of a chunk, block after block.
typedef struct {
    span rows, columns;
} patch;

static long patches_of_block(span rows) { return quotient_up(rows.count, TILE_ROWS); }

// Number `index` of the chunk; empty after the last.
static patch patch_of(const orrery_weight_product *p, span rows, long index) {
    long tiles = patches_of_block(rows), column = index / tiles * DEPTH;
    if (column >= p->columns) return (patch){{0, 0}, {0, 0}};
    span tile = part(rows.count, tiles, index % tiles);
    return (patch){{rows.first + tile.first, tile.count}, {column, least(DEPTH, p->columns - column)}};
}

// The block of x that is next, in as many parts of a line per step as it has: each is left to one of the last tiles of
// this block. Null where none is due.
static const char *next_activations(const orrery_weight_product *p, span columns, long tiles_left) {
    long next = columns.first + DEPTH < p->columns ? columns.first + DEPTH : 0;
    long bytes = (long)sizeof(float) * width_of(p->m) * least(DEPTH, p->columns - next);
    long offset = (tiles_left - 1) * columns.count * 64;
    return offset < bytes ? (const char *)activations_of(p, next) + offset : 0;
}

static place place_of(const orrery_weight_product *p, long row, long column) {
    return (place){p, (const char *)p->weights + bytes_of(p, row * p->columns + column), row, column};
}

// What tile `panel` of `panels` does on the way: its share of a patch to widen, and of one to fetch.
static errand errand_of(
    const orrery_weight_product *p, patch widened, patch fetched, long panel, long panels, float *to) {
    span rows = part(widened.rows.count, panels, panel), later = part(fetched.rows.count, panels, panel);
    return (errand){
        .product = p, .from = place_of(p, widened.rows.first + rows.first, widened.columns.first),
        .rows = rows.count, .columns = widened.columns.count, .to = to + rows.first * DEPTH,
        .fetched = place_of(p, fetched.rows.first + later.first, fetched.columns.first).bytes,
        .fetched_rows = later.count,
    };
}

// Chunks by the number of rows alone, all about as large: a block of x comes from the outer cache once a chunk, which
// large ones make up for; four or more for each of two threads balance them.
static long chunk_count(long rows) {
    return most(least(CHUNKS, quotient_up(rows, TILE_ROWS)), quotient_up(rows, LARGEST_CHUNK));
}

static int multiply(const orrery_panel_kernel *kernel, const orrery_weight_product *p, long chunk) {
    (void)kernel;
    _Alignas(64) float wide[2][TILE_ROWS * DEPTH];
    const long width = width_of(p->m), panels = quotient_up(p->m, PANEL);
    span rows = part(p->rows, chunk_count(p->rows), chunk);
    float *sums = orrery_scratch(ORRERY_SCRATCH_B, sizeof(float) * (size_t)(rows.count * width));
    if (!sums) return -1;
    const long tile_count = patches_of_block(rows);
    patch now = patch_of(p, rows, 0), next = patch_of(p, rows, 1);
    errand first = errand_of(p, now, next, 0, 1, wide[0]);
    for (long k = 0; k < now.columns.count; k += 16) run_errand(&first, k);
    for (long index = 0; now.rows.count > 0; index++) {
        const float *activations = activations_of(p, now.columns.first);
        patch after = patch_of(p, rows, index + 2);
        for (long i = 0; i < panels; i++) {
            long vectors = least(TILE_VECTORS, (width - i * PANEL) / LANES);
            errand e = errand_of(p, next, after, i, panels, wide[(index + 1) % 2]);
            e.ahead = next_activations(p, now.columns, (tile_count - index % tile_count) * panels - i);
            tiles[vectors - 1][now.rows.count - 1](
                now.columns.count, wide[index % 2], activations + i * PANEL * now.columns.count,
                sums + (now.rows.first - rows.first) * width + i * PANEL, width, now.columns.first > 0, &e);
        }
        now = next;
        next = after;
    }
    transpose_sums(p, rows, sums, width);
    return 0;
}

ORRERY_END

static size_t scratch_bytes(const orrery_panel_kernel *kernel) {
    (void)kernel;
    return sizeof(float) * LARGEST_CHUNK * LARGEST_M;
}

static size_t activation_bytes(const orrery_panel_kernel *kernel, long m, long columns) {
    (void)kernel;
    return sizeof(float) * (size_t)width_of(m) * (size_t)columns;
}

static long activation_chunks(const orrery_panel_kernel *kernel, const orrery_weight_product *p) {
    (void)kernel;
    return quotient_up(p->m, PANEL) * quotient_up(p->columns, DEPTH);
}

static long chunks(const orrery_panel_kernel *kernel, const orrery_weight_product *p) {
    (void)kernel;
    return chunk_count(p->rows);
}

const panel_loops orrery_row_loops = {
    .rows_of_x = LARGEST_M, .scratch_bytes = scratch_bytes, .activation_bytes = activation_bytes,
    .activation_chunks = activation_chunks, .pack_activations = pack_activations, .chunks = chunks,
    .multiply = multiply,
};

const orrery_panel_kernel orrery_float_rows = {.panels = 0};
#endif

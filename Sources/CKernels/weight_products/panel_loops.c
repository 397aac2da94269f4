// The loops around a tile that reads panels of W: they pass through the caches, all of x meets each.
//
//   for each chunk of rows of W          threads take chunks
//     for each block of columns          a sum is broken at its multiples
//       for each strip of panels
//         pack it                        from the file's layout, into memory that the caches hold
//         for each tile of rows of x
//           for each panel of the strip
//             the tile                   adds to y, which is read and written once a block
//
// While the tiles of a strip are running, the next strip of W is fetched from memory, a share a tile.
#include "../scratch.h"
#include "panel_kernels.h"

static long tiles_of(long m) { return quotient_up(m, ROWS_OF_X); }

// How the rows of W are cut, by their number alone: into eight chunks or more, where there are as many panels.
typedef struct {
    long panels; // of a strip
    long rows;   // of a strip
    long strips; // of a chunk
} cut;

static cut cut_of(const panel_layout *layout, long rows) {
    cut by = {.panels = least(layout->panels, most(1, rows / layout->width / 8))};
    by.rows = by.panels * layout->width;
    by.strips = least(layout->strips, most(1, rows / by.rows / 16));
    return by;
}

// The packed activations of a block of columns: tile after tile, so that a pass over them reads memory in order.
static char *activations_of(const panel_layout *layout, const orrery_weight_product *p, long block) {
    return (char *)p->activations + layout->activation_bytes * (size_t)(tiles_of(p->m) * block);
}

// Fetches part `share` of `shares` of a rectangle of W that is needed next: its rows lie apart in memory, where no
// processor looks ahead by itself.
static void fetch_weights(const orrery_weight_product *p, span rows, span columns, long share, long shares) {
    if (rows.count <= 0 || columns.count <= 0) return;
    span due = part(rows.count, shares, share);
    long row_bytes = orrery_weight_offset(p->format, p->columns);
    long from = orrery_weight_offset(p->format, columns.first);
    long to = orrery_weight_offset(p->format, columns.first + columns.count);
    for (long row = rows.first + due.first; row < rows.first + due.first + due.count; row++) {
        const char *bytes = (const char *)p->weights + row * row_bytes;
        for (long i = from; i < to; i += 64) __builtin_prefetch(bytes + i, 0, 3);
    }
}

// All rows of x by one strip, which is packed, for one block of columns.
static void multiply_strip(
    const panel_layout *layout, const orrery_weight_product *p, span rows, span columns, const char *strip,
    span next_rows, span next_columns) {
    long tiles = tiles_of(p->m), panels = quotient_up(rows.count, layout->width);
    const char *activations = activations_of(layout, p, columns.first / layout->depth);
    for (long t = 0; t < tiles; t++, activations += layout->activation_bytes) {
        span x_rows = part(p->m, tiles, t);
        for (long i = 0; i < panels; i++) {
            span w_rows = {rows.first + i * layout->width, least(layout->width, rows.count - i * layout->width)};
            fetch_weights(p, next_rows, next_columns, t * panels + i, tiles * panels);
            layout->tile(p, activations, x_rows, w_rows, columns, strip + layout->panel_bytes * (size_t)i);
        }
    }
}

static void pack_strip(
    const panel_layout *layout, const orrery_weight_product *p, span rows, span columns, char *strip) {
    for (long row = 0; row < rows.count; row += layout->width, strip += layout->panel_bytes) {
        span w_rows = {rows.first + row, least(layout->width, rows.count - row)};
        layout->pack(p, w_rows, columns, strip);
    }
}

static int multiply(const orrery_panel_kernel *kernel, const orrery_weight_product *p, long chunk) {
    const panel_layout *layout = kernel->panels;
    cut by = cut_of(layout, p->rows);
    char *strip = orrery_scratch(ORRERY_SCRATCH_B, layout->panel_bytes * (size_t)by.panels);
    if (!strip) return -1;
    long first = chunk * by.rows * by.strips, end = least(p->rows, first + by.rows * by.strips);
    for (long column = 0; column < p->columns; column += layout->depth) {
        span columns = {column, least(layout->depth, p->columns - column)};
        for (long row = first; row < end; row += by.rows) {
            span rows = {row, least(by.rows, end - row)};
            span next_rows = {row + by.rows, least(by.rows, end - row - by.rows)}, next_columns = columns;
            if (next_rows.count <= 0) {
                long next = column + layout->depth;
                next_columns = (span){next, least(layout->depth, p->columns - next)};
                next_rows = (span){first, next_columns.count > 0 ? least(by.rows, end - first) : 0};
            }
            pack_strip(layout, p, rows, columns, strip);
            multiply_strip(layout, p, rows, columns, strip, next_rows, next_columns);
        }
    }
    return 0;
}

static long chunks(const orrery_panel_kernel *kernel, const orrery_weight_product *p) {
    cut by = cut_of(kernel->panels, p->rows);
    return quotient_up(p->rows, by.rows * by.strips);
}

static size_t scratch_bytes(const orrery_panel_kernel *kernel) {
    return kernel->panels->panel_bytes * (size_t)kernel->panels->panels;
}

static size_t activation_bytes(const orrery_panel_kernel *kernel, long m, long columns) {
    const panel_layout *layout = kernel->panels;
    return layout->activation_bytes * (size_t)tiles_of(m) * (size_t)quotient_up(columns, layout->depth);
}

static long activation_chunks(const orrery_panel_kernel *kernel, const orrery_weight_product *p) {
    (void)kernel;
    return tiles_of(p->m);
}

static void pack_activations(const orrery_panel_kernel *kernel, const orrery_weight_product *p, long chunk) {
    const panel_layout *layout = kernel->panels;
    for (long column = 0; column < p->columns; column += layout->depth) {
        span columns = {column, least(layout->depth, p->columns - column)};
        char *to = activations_of(layout, p, column / layout->depth) + layout->activation_bytes * (size_t)chunk;
        layout->pack_activations(p, part(p->m, tiles_of(p->m), chunk), columns, to);
    }
}

const panel_loops orrery_panel_loops = {
    .rows_of_x = 512, .scratch_bytes = scratch_bytes, .activation_bytes = activation_bytes,
    .activation_chunks = activation_chunks, .pack_activations = pack_activations, .chunks = chunks,
    .multiply = multiply,
};

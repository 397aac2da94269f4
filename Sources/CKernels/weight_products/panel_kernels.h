// The ways to multiply weights, and what each is made of.
//
// Byte and bf16 kernels have W in the lanes of a vector: panels of it are packed, and the loops of panel_loops.c take
// tiles of x past them. The float kernel has x in the lanes: rows of W need only be widened, and the loops of
// float_rows_avx512.c take them past panels of x.
#pragma once

#include "../include/weight_products.h"

typedef struct {
    long first, count;
} span;

// Maximum rows of x per tile: with 6 rows, 24 sums of 64 columns or 12 of 32 fit the 32 registers.
enum { ROWS_OF_X = 6 };

typedef struct {
    long width;              // rows of W of a panel
    long depth;              // columns of W of a panel
    size_t panel_bytes;
    long panels;             // of a strip, at most: packed before tiles read them, they fill a cache with a tile of x
    long strips;             // of a chunk, at most
    size_t activation_bytes; // of the packed activations of a tile and `depth` columns
    // Rows and columns of x, those of a tile and a block, as the tile reads them.
    void (*pack_activations)(const orrery_weight_product *product, span rows, span columns, void *to);
    // Rows and columns of W into a panel.
    void (*pack)(const orrery_weight_product *product, span rows, span columns, void *panel);
    // y[x_rows, w_rows] = (or +=, from the second block on) the sum over these columns.
    void (*tile)(
        const orrery_weight_product *product, const void *activations, span x_rows, span w_rows, span columns,
        const void *panel);
} panel_layout;

// The layout of panels; null for rows, which need none.
struct orrery_panel_kernel {
    const panel_layout *panels;
};

// What weight_products.h declares, for either kind.
typedef struct {
    long rows_of_x;
    size_t (*scratch_bytes)(const orrery_panel_kernel *kernel);
    size_t (*activation_bytes)(const orrery_panel_kernel *kernel, long m, long columns);
    long (*activation_chunks)(const orrery_panel_kernel *kernel, const orrery_weight_product *product);
    void (*pack_activations)(const orrery_panel_kernel *kernel, const orrery_weight_product *product, long chunk);
    long (*chunks)(const orrery_panel_kernel *kernel, const orrery_weight_product *product);
    int (*multiply)(const orrery_panel_kernel *kernel, const orrery_weight_product *product, long chunk);
} panel_loops;

extern const panel_loops orrery_panel_loops;

// Bytes from the start of a row of W to a column, which begins a block.
long orrery_weight_offset(orrery_weight_format format, long column);

static inline long least(long a, long b) { return a < b ? a : b; }

static inline long most(long a, long b) { return a > b ? a : b; }

static inline long quotient_up(long a, long b) { return (a + b - 1) / b; }

// Part `index` of `parts` as equal as whole elements allow.
static inline span part(long count, long parts, long index) {
    long first = count * index / parts;
    return (span){first, count * (index + 1) / parts - first};
}

#if defined(__x86_64__)
extern const panel_loops orrery_row_loops;
extern const orrery_panel_kernel orrery_float_rows;
extern const orrery_panel_kernel orrery_bf16_dot_panels;
extern const orrery_panel_kernel orrery_q8_0_panels, orrery_q4_0_panels, orrery_int8_panels;
extern const orrery_panel_kernel orrery_q4_k_panels, orrery_q5_k_panels, orrery_q6_k_panels;
#endif

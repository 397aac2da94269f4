// Products of many rows of activations with a matrix of weights as files hold it: y[m, rows] = x[m, columns] · Wᵀ.
//
// W stays where it is and as it is. A panel of it (32 or 64 rows, a few hundred columns) is brought into the order in
// which a tile of y in registers reads it, in memory of this thread that its caches hold, and meets all rows of x
// before the next one takes its place: one reading of W a call, and no second copy of it.
//
//   f32, f16, nf4    widened to float32 while packing, activations in float32
//   bf16             vdpbf16ps with activations rounded to bfloat16, or widened where the processor lacks it
//   the others       unpacked to unsigned bytes for vpdpbusd; activations in int8 by runs of 32, once a call
//
// An element of y is a sum over blocks of columns in order, whatever m, the number of rows or of threads.
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum {
    ORRERY_WEIGHTS_F32,
    ORRERY_WEIGHTS_F16,
    ORRERY_WEIGHTS_BF16,
    ORRERY_WEIGHTS_Q8_0,
    ORRERY_WEIGHTS_Q4_0,
    ORRERY_WEIGHTS_Q4_K,
    ORRERY_WEIGHTS_Q5_K,
    ORRERY_WEIGHTS_Q6_K,
    ORRERY_WEIGHTS_NF4,
    ORRERY_WEIGHTS_INT8,
} orrery_weight_format;

typedef struct {
    orrery_weight_format format;
    long rows, columns;   // of W; columns are a multiple of the format's block
    const void *weights;  // row after row
    const float *scales;  // nf4: one for each 64 weights of the flattened matrix; int8: one per row; else not read
    const float *x;       // [m, columns]
    long x_row;           // elements from a row of x to the next
    long m;
    float *y;             // [m, rows]; overlaps nothing
    long y_row;
    void *activations;    // room for `orrery_panel_activation_bytes`, aligned to 64
} orrery_weight_product;

// A way to multiply weights of one format.
typedef struct orrery_panel_kernel orrery_panel_kernel;

// Returns the fastest kernel for a processor with these features; NULL if there is none.
const orrery_panel_kernel *orrery_panel_kernel_of(orrery_weight_format format, uint32_t features);

// Bytes of the activations as the kernel reads them.
size_t orrery_panel_activation_bytes(const orrery_panel_kernel *kernel, long m, long columns);
// Memory for them that this thread keeps; null where memory is short.
void *orrery_panel_activation_memory(size_t bytes);

// Maximum rows of x per product, so that activations do not crowd the caches: more rows are several
// products.
long orrery_panel_rows_of_x(const orrery_panel_kernel *kernel);

// Bytes that a thread keeps, at most, next to the activations.
size_t orrery_panel_scratch_bytes(const orrery_panel_kernel *kernel);

// A product is two rounds of chunks, each in any order and on any threads: first the activations, then the
// products. A chunk of products returns 0, or -1 if there was no memory for its panels:
// then y is not complete. Both numbers depend on sizes alone.
long orrery_panel_activation_chunks(const orrery_panel_kernel *kernel, const orrery_weight_product *product);
void orrery_panel_pack_activations(
    const orrery_panel_kernel *kernel, const orrery_weight_product *product, long chunk);
long orrery_panel_chunks(const orrery_panel_kernel *kernel, const orrery_weight_product *product);
int orrery_panel_multiply(const orrery_panel_kernel *kernel, const orrery_weight_product *product, long chunk);

// The textbook, for weights that are decoded already: y[m, rows] = x · wᵀ with w[rows, columns] in float32, each sum in
// the order of the columns.
void orrery_decoded_product(
    const float *w, long rows, long columns, const float *x, long x_row, long m, float *y, long y_row);

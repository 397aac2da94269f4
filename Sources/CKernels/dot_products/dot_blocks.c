// The loops around a tile, the same for every pair of types: a stripe of packed B against blocks of rows of A.
//
//   for each block of rows of A that the L2 cache holds      pack it: panels of `rows` rows
//     for each panel of B                                    `columns` columns, read from L2 once a block
//       for each panel of A                                  from L2, `words` deep
//         tile: C[rows, columns] in registers += panel of A · panel of B
#include "../include/dot_products.h"
#include "../scratch.h"
#include "dot_kernels.h"

#include <string.h>

enum { STRIPE_WORDS = 512, ROWS_OF_A_BLOCK = 192, LARGEST_ROWS = 16, LARGEST_COLUMNS = 64 };

long orrery_dot_stripe_depth(const orrery_dot_kernel *kernel) { return (long)STRIPE_WORDS * kernel->depth; }

static long words_of(const orrery_dot_kernel *kernel, long k) { return (k + kernel->depth - 1) / kernel->depth; }

static long panel_words(const orrery_dot_kernel *kernel, long k) {
    return words_of(kernel, k) * kernel->columns + kernel->header;
}

long orrery_dot_panel_bytes(const orrery_dot_kernel *kernel, long k) { return 4 * panel_words(kernel, k); }

void *orrery_dot_panel_memory(long bytes) { return orrery_scratch(ORRERY_SCRATCH_B, (size_t)bytes); }

static long smaller(long a, long b) { return a < b ? a : b; }

void orrery_dot_pack(
    const orrery_dot_kernel *kernel, const void *b, long stride, long k, long columns, void *panels) {
    uint32_t *panel = panels;
    for (long j = 0; j < columns; j += kernel->columns) {
        const char *corner = (const char *)b + j * kernel->element_bytes;
        kernel->pack_b(corner, stride, k, smaller(columns - j, kernel->columns), panel);
        panel += panel_words(kernel, k);
    }
}

// A tile that hangs over the right edge is computed next to C, on a copy of what was there.
static void edge_tile(
    const orrery_dot_kernel *kernel, int rows, int columns, long words, const uint32_t *a, const uint32_t *b,
    uint32_t *c, long stride, int accumulate) {
    uint32_t copy[LARGEST_ROWS * LARGEST_COLUMNS] __attribute__((aligned(64)));
    if (accumulate) {
        memset(copy, 0, 4 * (size_t)rows * (size_t)kernel->columns);
        for (int i = 0; i < rows; i++) memcpy(copy + i * kernel->columns, c + i * stride, 4 * (size_t)columns);
    }
    kernel->tile(rows, words, a, b, copy, kernel->columns, accumulate);
    for (int i = 0; i < rows; i++) memcpy(c + i * stride, copy + i * kernel->columns, 4 * (size_t)columns);
}

// C[m, n] of one block of A, already packed.
static void multiply_block(
    const orrery_dot_kernel *kernel, const uint32_t *a_panels, long m, long k, const uint32_t *b_panels, long n,
    uint32_t *c, long stride, int accumulate) {
    long words = words_of(kernel, k);
    for (long j = 0; j < n; j += kernel->columns) {
        int columns = (int)smaller(n - j, kernel->columns);
        const uint32_t *a = a_panels;
        for (long i = 0; i < m; i += kernel->rows) {
            int rows = (int)smaller(m - i, kernel->rows);
            uint32_t *corner = c + i * stride + j;
            if (columns == kernel->columns) {
                kernel->tile(rows, words, a, b_panels, corner, stride, accumulate);
            } else {
                edge_tile(kernel, rows, columns, words, a, b_panels, corner, stride, accumulate);
            }
            a += words * kernel->rows;
        }
        b_panels += panel_words(kernel, k);
    }
}

void orrery_dot_multiply(
    const orrery_dot_kernel *kernel, const void *a, long a_stride, long m, long k, const void *panels, long n, void *c,
    long c_stride, int accumulate) {
    uint32_t one_panel[LARGEST_ROWS * STRIPE_WORDS];
    long words = words_of(kernel, k);
    long block = ROWS_OF_A_BLOCK / kernel->rows * kernel->rows;
    uint32_t *packed = orrery_scratch(ORRERY_SCRATCH_A, 4 * (size_t)STRIPE_WORDS * ROWS_OF_A_BLOCK);
    if (!packed) { // slower, the same numbers
        packed = one_panel;
        block = kernel->rows;
    }
    for (long first = 0; first < m; first += block) {
        long rows = smaller(m - first, block);
        for (long i = 0; i < rows; i += kernel->rows) {
            const char *corner = (const char *)a + (first + i) * a_stride * kernel->element_bytes;
            kernel->pack_a(corner, a_stride, smaller(rows - i, kernel->rows), k, packed + words * i);
        }
        multiply_block(
            kernel, packed, rows, k, panels, n, (uint32_t *)c + first * c_stride, c_stride, accumulate);
    }
}

const orrery_dot_kernel *orrery_dot_kernel_of(orrery_dot_path path) {
    switch (path) {
    case ORRERY_BF16_PORTABLE: return &orrery_bf16_portable;
    case ORRERY_INT8_PORTABLE: return &orrery_int8_portable;
#if defined(__x86_64__)
    case ORRERY_BF16_AVX2: return &orrery_bf16_avx2;
    case ORRERY_BF16_AVX512: return &orrery_bf16_avx512;
    case ORRERY_BF16_DOT: return &orrery_bf16_dot;
    case ORRERY_INT8_AVX2: return &orrery_int8_avx2;
    case ORRERY_INT8_VNNI: return &orrery_int8_vnni;
#endif
    default: return 0;
    }
}

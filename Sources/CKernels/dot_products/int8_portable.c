// int8 without vector instructions of our own: widened to pairs of int16 while packing.
//
// A product of two pairs, a0·b0 + a1·b1 in int32, is one instruction on most processors (pmaddwd on the oldest x86),
// and a compiler finds it in the function below. Nothing saturates: the largest pair is 2 · 128 · 128.
#include "../instruction_sets.h"
#include "dot_kernels.h"

typedef int16_t shorts __attribute__((vector_size(16)));
typedef int32_t products __attribute__((vector_size(32)));
typedef uint32_t pair_sums __attribute__((vector_size(16)));

// The four sums of products of pairs: pmaddwd, in words that every processor understands.
ORRERY_INLINE pair_sums dot_pairs(shorts a, shorts b) {
    products p = __builtin_convertvector(a, products) * __builtin_convertvector(b, products);
    return (pair_sums)(__builtin_shufflevector(p, p, 0, 2, 4, 6) + __builtin_shufflevector(p, p, 1, 3, 5, 7));
}

#define SUM uint32_t
#define LANES 4
#define ROWS 4
#define VECTORS 2
#define MULTIPLY_ADD(sum, left, right) ((sum) + dot_pairs((shorts)(left), (shorts)(right)))

#include "dot_tile.h"

static uint32_t pair(int8_t first, int8_t second) {
    return (uint16_t)(int16_t)first | (uint32_t)(uint16_t)(int16_t)second << 16;
}

void orrery_pair_panel_a(const int8_t *a, long stride, long rows, long k, int panel_rows, uint32_t *panel) {
    for (long p = 0; p < k; p += 2) {
        for (long i = 0; i < panel_rows; i++) {
            const int8_t *row = a + i * stride;
            *panel++ = i < rows ? pair(row[p], p + 1 < k ? row[p + 1] : 0) : 0;
        }
    }
}

void orrery_pair_panel_b(const int8_t *b, long stride, long k, long columns, int panel_columns, uint32_t *panel) {
    for (long p = 0; p < k; p += 2) {
        const int8_t *even = b + p * stride;
        if (p + 1 < k) {
            for (long j = 0; j < columns; j++) panel[j] = pair(even[j], even[j + stride]);
        } else {
            for (long j = 0; j < columns; j++) panel[j] = pair(even[j], 0);
        }
        for (long j = columns; j < panel_columns; j++) panel[j] = 0;
        panel += panel_columns;
    }
}

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    orrery_pair_panel_a(a, stride, rows, k, ROWS, panel);
}

static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    orrery_pair_panel_b(b, stride, k, columns, COLUMNS, panel);
}

const orrery_dot_kernel orrery_int8_portable = {
    .rows = ROWS, .columns = COLUMNS, .depth = 2, .element_bytes = 1, .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};

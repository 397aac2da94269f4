// bfloat16 without vector instructions of our own: widened to f32 once, while packing, instead of k times.
//
// A tile of 4 x 8 sums stays in registers; every word that is loaded is used four or eight times.
#include "../instruction_sets.h"
#include "dot_kernels.h"

#define SUM float
#define LANES 4
#define ROWS 4
#define VECTORS 2
#define MULTIPLY_ADD(sum, left, right) ((sum) + (sums)(left) * (sums)(right))

#include "dot_tile.h"

void orrery_widen_panel_a(const uint16_t *a, long stride, long rows, long k, int panel_rows, uint32_t *panel) {
    for (long p = 0; p < k; p++) {
        for (long i = 0; i < panel_rows; i++) {
            panel[p * panel_rows + i] = i < rows ? (uint32_t)a[i * stride + p] << 16 : 0;
        }
    }
}

void orrery_widen_panel_b(const uint16_t *b, long stride, long k, long columns, int panel_columns, uint32_t *panel) {
    for (long p = 0; p < k; p++) {
        const uint16_t *row = b + p * stride;
        uint32_t *words = panel + p * panel_columns;
        for (long j = 0; j < columns; j++) words[j] = (uint32_t)row[j] << 16;
        for (long j = columns; j < panel_columns; j++) words[j] = 0;
    }
}

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    orrery_widen_panel_a(a, stride, rows, k, ROWS, panel);
}

static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    orrery_widen_panel_b(b, stride, k, columns, COLUMNS, panel);
}

const orrery_dot_kernel orrery_bf16_portable = {
    .rows = ROWS, .columns = COLUMNS, .depth = 1, .element_bytes = 2, .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};

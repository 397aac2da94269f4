// bfloat16 without vector instructions of our own: widened to f32 once, while packing, instead of k times.
//
// A tile of 4 x 8 sums stays in registers; every word that is loaded is used four or eight times.
#include "dot_kernels.h"

#include <string.h>

enum { ROWS = 4, COLUMNS = 8 };

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

// Four floats that the compiler keeps in a register of any processor that has such.
typedef float four __attribute__((vector_size(16)));

static four load(const float *from) {
    four value;
    memcpy(&value, from, sizeof value);
    return value;
}

static void tile(int rows, long words, const uint32_t *a, const uint32_t *b, void *c, long stride, int accumulate) {
    const float *left = (const float *)a, *right = (const float *)b;
    four sum[ROWS][2] = {{{0}}};
    for (long p = 0; p < words; p++) {
        four near = load(right), far = load(right + 4);
        for (int i = 0; i < ROWS; i++) {
            sum[i][0] += left[i] * near;
            sum[i][1] += left[i] * far;
        }
        left += ROWS;
        right += COLUMNS;
    }
    for (int i = 0; i < rows; i++) {
        float *row = (float *)c + i * stride;
        for (int j = 0; j < COLUMNS; j++) row[j] = accumulate ? row[j] + sum[i][j / 4][j % 4] : sum[i][j / 4][j % 4];
    }
}

const orrery_dot_kernel orrery_bf16_portable = {
    .rows = ROWS, .columns = COLUMNS, .depth = 1, .element_bytes = 2, .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};

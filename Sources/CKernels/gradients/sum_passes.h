// Sums of columns, a bias on every row, and rows added to a table.
#pragma once

enum { COLUMN_VECTORS = 8 }; // columns whose sums wait in registers, in vectors

ORRERY_INLINE void sum_columns(const int vectors, const float *x, float *sums, long rows, long columns, long last) {
    vector sum[COLUMN_VECTORS];
    ORRERY_UNROLL for (int v = 0; v < vectors; v++) sum[v] = SPLAT(0);
    for (long row = 0; row < rows; row++, x += columns) {
        ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
            sum[v] += v + 1 < vectors ? load(x + v * LANES) : load_some(x + v * LANES, last);
        }
    }
    ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
        store_some(sums + v * LANES, sum[v], v + 1 < vectors ? LANES : last);
    }
}

static void column_sums(const float *x, float *sums, long rows, long columns) {
    const long width = COLUMN_VECTORS * LANES;
    long j = 0;
    for (; j + width <= columns; j += width) sum_columns(COLUMN_VECTORS, x + j, sums + j, rows, columns, LANES);
    for (; j < columns; j += LANES) {
        sum_columns(1, x + j, sums + j, rows, columns, columns - j < LANES ? columns - j : LANES);
    }
}

ORRERY_INLINE void add_row(const float *x, float *y, long count) {
    EACH_VECTOR(count, STORE(y, LOAD(y) + LOAD(x));)
}

static void add_bias(const float *bias, float *y, long rows, long columns) {
    for (long row = 0; row < rows; row++) add_row(bias, y + row * columns, columns);
}

static void scatter_add(const float *rows, const int32_t *indices, long indices_count, float *table, long width,
    long first, long count) {
    for (long i = 0; i < indices_count; i++) {
        add_row(rows + i * width + first, table + indices[i] * width + first, count);
    }
}

// Packing: operands copied into the order in which the tile reads them.
//
// B becomes panels of PANEL columns, each [depth, PANEL] and contiguous; the last one is as wide as whole vectors
// allow, filled up with zeros (which meet only columns of C that are thrown away). A is read in place, unless
// neither its rows nor its columns are close to each other: then a tile of rows becomes [depth, TILE_ROWS].
// Four elements: small enough for a transpose in the registers of every processor.
typedef ELEMENT four __attribute__((vector_size(4 * sizeof(ELEMENT)), aligned(sizeof(ELEMENT))));

// to[i][j] = from[j][i] for 4 x 4 elements: rows are read and written whole.
ORRERY_INLINE void transpose_four(const ELEMENT *from, long from_row, ELEMENT *to, long to_row) {
    four r0 = *(const four *)from, r1 = *(const four *)(from + from_row);
    four r2 = *(const four *)(from + 2 * from_row), r3 = *(const four *)(from + 3 * from_row);
    four low01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5), high01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
    four low23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5), high23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
    *(four *)to = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    *(four *)(to + to_row) = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    *(four *)(to + 2 * to_row) = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    *(four *)(to + 3 * to_row) = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

// The width of a panel that holds `columns` columns of B.
ORRERY_INLINE long panel_width(long columns) {
    return columns >= PANEL ? PANEL : (columns + LANES - 1) / LANES * LANES;
}

// panel [depth, panel_width(columns)] = B [depth, columns], by its strides.
static void pack_panel(const ELEMENT *b, long b_row, long b_column, long depth, long columns, ELEMENT *panel) {
    const long width = panel_width(columns);
    if (columns == PANEL && b_column == 1) {
        for (long p = 0; p < depth; p++) memcpy(panel + p * PANEL, b + p * b_row, PANEL * sizeof(ELEMENT));
        return;
    }
    long p = 0;
    for (; columns == PANEL && b_row == 1 && p + 4 <= depth; p += 4) {
        for (long j = 0; j < PANEL; j += 4) {
            transpose_four(b + p + j * b_column, b_column, panel + p * PANEL + j, PANEL);
        }
    }
    for (; p < depth; p++) {
        for (long j = 0; j < width; j++) panel[p * width + j] = j < columns ? b[p * b_row + j * b_column] : 0;
    }
}

// packed [tiles][depth, TILE_ROWS] = the transposes of tiles of A, several at a time, since where its rows lie next to
// each other (a_row is 1) those of one tile are less than a cache line. Lanes beyond a tile's rows are left unread.
static void pack_rows(
    const ELEMENT *a, long a_row, long a_column, const range *rows_of_tile, long tile_count, long depth,
    ELEMENT *packed) {
    for (long p = 0; p < depth; p++) {
        for (long t = 0; t < tile_count; t++) {
            const ELEMENT *from = a + p * a_column + rows_of_tile[t].first * a_row;
            ELEMENT *to = packed + (t * depth + p) * TILE_ROWS;
            if (a_row == 1 && rows_of_tile[t].count == TILE_ROWS) {
                memcpy(to, from, TILE_ROWS * sizeof(ELEMENT));
            } else {
                for (long i = 0; i < rows_of_tile[t].count; i++) to[i] = from[i * a_row];
            }
        }
    }
}

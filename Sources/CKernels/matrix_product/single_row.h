// One row of A times an unpacked matrix: B is read once, along its rows, straight from memory.
//
// Four rows of B at a time; the sums of a block wait in the first-level cache, so that they are read and written once
// for every four elements of B that memory delivers. Each sum takes its terms one after the other, as in a tile.

enum { SINGLE_ROW_COLUMNS = 4096 / sizeof(ELEMENT) }; // the sums of a chunk

// sum[0..<columns] += sum over q < terms of a[q] * b[q][0..<columns], in order.
ORRERY_INLINE void add_terms(
    const int terms, ELEMENT *restrict sum, const ELEMENT *a, long a_column, const ELEMENT *restrict b, long b_row,
    long columns) {
    vector factor[4];
    ORRERY_UNROLL for (int q = 0; q < terms; q++) factor[q] = a[q * a_column] - (vector){0};
    long j = 0;
    for (; j + LANES <= columns; j += LANES) {
        vector s = *(vector *)(sum + j);
        ORRERY_UNROLL for (int q = 0; q < terms; q++) {
            vector row_of_b = *(const unaligned_vector *)(b + q * b_row + j);
            s = MULTIPLY_ADD(factor[q], row_of_b, s);
        }
        *(vector *)(sum + j) = s;
    }
    for (; j < columns; j++) {
        ORRERY_UNROLL for (int q = 0; q < terms; q++) sum[j] = MULTIPLY_ADD(a[q * a_column], b[q * b_row + j], sum[j]);
    }
}

// c[0..<columns] (+)= a[0..<inner] B [inner, columns], the columns of B contiguous.
static void multiply_single_row(
    const ELEMENT *a, long a_column, const ELEMENT *b, long b_row, long inner, ELEMENT *c, long columns,
    int accumulate) {
    _Alignas(64) ELEMENT sum[SINGLE_ROW_COLUMNS];
    for (long first = 0; first < inner; first += ORRERY_PRODUCT_DEPTH) {
        long end = inner - first < ORRERY_PRODUCT_DEPTH ? inner : first + ORRERY_PRODUCT_DEPTH, p = first;
        for (long j = 0; j < columns; j++) sum[j] = 0;
        for (; p + 4 <= end; p += 4) add_terms(4, sum, a + p * a_column, a_column, b + p * b_row, b_row, columns);
        for (; p < end; p++) add_terms(1, sum, a + p * a_column, a_column, b + p * b_row, b_row, columns);
        int add = accumulate || first > 0;
        for (long j = 0; j < columns; j++) c[j] = add ? c[j] + sum[j] : sum[j];
    }
}

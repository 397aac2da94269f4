// Rows of codes by one query: sums of table entries, bits that differ.
//
// Idea: rows stream from memory; four at a time share the query's loads and hide each other's latencies.
//
// Included once a path, after center_loops.h.

void ORRERY_PATH(orrery_codes_scan)(const float *tables, const uint8_t *codes, const float *bias, float start,
                                    ptrdiff_t count, ptrdiff_t parts, float *out) {
    ptrdiff_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const uint8_t *a = codes + i * parts;
        const uint8_t *b = a + parts;
        const uint8_t *c = b + parts;
        const uint8_t *d = c + parts;
        const float *table = tables;
        float sums[4] = {0};
        for (ptrdiff_t m = 0; m < parts; m++, table += 256) {
            sums[0] += table[a[m]];
            sums[1] += table[b[m]];
            sums[2] += table[c[m]];
            sums[3] += table[d[m]];
        }
        ORRERY_UNROLL for (int r = 0; r < 4; r++) out[i + r] = (bias ? start + bias[i + r] : start) + sums[r];
    }
    for (; i < count; i++) {
        float sum = 0;
        for (ptrdiff_t m = 0; m < parts; m++) sum += tables[256 * m + codes[i * parts + m]];
        out[i] = (bias ? start + bias[i] : start) + sum;
    }
}

void ORRERY_PATH(orrery_codes_hamming)(const uint64_t *x, const uint64_t *rows, ptrdiff_t words, ptrdiff_t count,
                                       uint16_t *out) {
    for (ptrdiff_t i = 0; i < count; i++) {
        const uint64_t *row = rows + i * words;
        int bits = 0;
        for (ptrdiff_t w = 0; w < words; w++) bits += __builtin_popcountll(x[w] ^ row[w]);
        out[i] = (uint16_t)(bits < 65535 ? bits : 65535);
    }
}

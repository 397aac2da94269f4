// Loops over the vectors of a row.
#pragma once

// `body` for every vector of `columns` numbers: whole ones first, then the rest, of which LOAD and STORE know the end.
// Within it `j` is the place in the row.
#define EACH_VECTOR(columns, ...) \
    { \
        long j = 0; \
        for (; j + LANES <= (columns); j += LANES) { \
            const long some = LANES; \
            __VA_ARGS__ \
        } \
        if (j < (columns)) { \
            const long some = (columns) - j; \
            __VA_ARGS__ \
        } \
    }
#define LOAD(row) (some == LANES ? load((row) + j) : load_some((row) + j, some))
#define STORE(row, x) (some == LANES ? store((row) + j, x) : store_some((row) + j, x, some))

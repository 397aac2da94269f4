// The two products, one block of a page each, for up to TILE_ROWS rows at once.
//
// Scores hold keys in the lanes, outputs hold the numbers of a value in the lanes: both products multiply a vector of
// the page by one number of a row, and no sum ever crosses lanes. Where rows are few, several chains of sums keep the
// multipliers busy; how many depends on the number of rows alone.
//
// The file that includes this has defined `vector`, LANES, SPLAT, TILE_ROWS, `load`, `store` and `load_part`.
#pragma once

enum { BLOCK_KEYS = 2 * LANES };

// scores[row][key] = Σ_c queries[c][row] keys[c][key] for BLOCK_KEYS keys.
ORRERY_INLINE void score_block(
    const int rows, const int chains, long width, const float *queries, const float *keys, long page_size,
    float *scores) {
    vector sums[4][TILE_ROWS][2];
    ORRERY_UNROLL for (int chain = 0; chain < chains; chain++) {
        ORRERY_UNROLL for (int row = 0; row < rows; row++) sums[chain][row][0] = sums[chain][row][1] = SPLAT(0);
    }
    long c = 0;
    for (; c + chains <= width; c += chains) {
        ORRERY_UNROLL for (int chain = 0; chain < chains; chain++) {
            vector low = load(keys + (c + chain) * page_size);
            vector high = load(keys + (c + chain) * page_size + LANES);
            ORRERY_UNROLL for (int row = 0; row < rows; row++) {
                vector query = SPLAT(queries[(c + chain) * rows + row]);
                sums[chain][row][0] += query * low;
                sums[chain][row][1] += query * high;
            }
        }
    }
    for (; c < width; c++) {
        ORRERY_UNROLL for (int row = 0; row < rows; row++) {
            vector query = SPLAT(queries[c * rows + row]);
            sums[0][row][0] += query * load(keys + c * page_size);
            sums[0][row][1] += query * load(keys + c * page_size + LANES);
        }
    }
    ORRERY_UNROLL for (int row = 0; row < rows; row++) {
        ORRERY_UNROLL for (int half = 0; half < 2; half++) {
            vector sum = sums[0][row][half];
            ORRERY_UNROLL for (int chain = 1; chain < chains; chain++) sum += sums[chain][row][half];
            store(scores + row * ORRERY_PAGED_TILE + half * LANES, sum);
        }
    }
}

// output[row][c] += Σ_key weights[row][key] values[key][c] for `vectors` vectors of c; `part` of the last one's lanes
// belong to the value, LANES where all do.
ORRERY_INLINE void value_block(
    const int rows, const int vectors, const int chains, const int whole, int part, long count, const float *weights,
    const float *values, long width, float *output, long output_width) {
    vector sums[4][TILE_ROWS][4];
    ORRERY_UNROLL for (int row = 0; row < rows; row++) {
        ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
            sums[0][row][v] = load(output + row * output_width + v * LANES);
            ORRERY_UNROLL for (int chain = 1; chain < chains; chain++) sums[chain][row][v] = SPLAT(0);
        }
    }
    long key = 0;
    for (; key + chains <= count; key += chains) {
        ORRERY_UNROLL for (int chain = 0; chain < chains; chain++) {
            const float *value = values + (key + chain) * width;
            ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
                vector numbers = whole ? load(value + v * LANES) : load_part(value + v * LANES, part);
                ORRERY_UNROLL for (int row = 0; row < rows; row++) {
                    sums[chain][row][v] += SPLAT(weights[row * ORRERY_PAGED_TILE + key + chain]) * numbers;
                }
            }
        }
    }
    for (; key < count; key++) {
        ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
            const float *value = values + key * width + v * LANES;
            vector numbers = whole ? load(value) : load_part(value, part);
            ORRERY_UNROLL for (int row = 0; row < rows; row++) {
                sums[0][row][v] += SPLAT(weights[row * ORRERY_PAGED_TILE + key]) * numbers;
            }
        }
    }
    ORRERY_UNROLL for (int row = 0; row < rows; row++) {
        ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
            vector sum = sums[0][row][v];
            ORRERY_UNROLL for (int chain = 1; chain < chains; chain++) sum += sums[chain][row][v];
            store(output + row * output_width + v * LANES, sum);
        }
    }
}

// All blocks of a value's width: `most` vectors at a time, then one at a time.
ORRERY_INLINE void value_blocks(
    const int rows, const int most, const int chains, long count, const float *weights, const float *values, long width,
    float *output, long output_width) {
    long c = 0;
    for (; c + most * LANES <= width; c += most * LANES) {
        value_block(rows, most, chains, 1, LANES, count, weights, values + c, width, output + c, output_width);
    }
    for (; c + LANES <= width; c += LANES) {
        value_block(rows, 1, chains, 1, LANES, count, weights, values + c, width, output + c, output_width);
    }
    if (c == width) return;
    int part = (int)(width - c);
    value_block(rows, 1, chains, 0, part, count, weights, values + c, width, output + c, output_width);
}

// `rows` is a power of two up to TILE_ROWS.
static void score_rows(
    int rows, long width, const float *queries, const float *keys, long page_size, float *scores) {
    switch (rows) {
    case 1: score_block(1, 4, width, queries, keys, page_size, scores); break;
    case 2: score_block(2, 2, width, queries, keys, page_size, scores); break;
    case 4: score_block(4, 1, width, queries, keys, page_size, scores); break;
    default: score_block(TILE_ROWS, 1, width, queries, keys, page_size, scores);
    }
}

static void weigh_values(
    int rows, long count, const float *weights, const float *values, long width, float *output, long output_width) {
    switch (rows) {
    case 1: value_blocks(1, 4, 2, count, weights, values, width, output, output_width); break;
    case 2: value_blocks(2, 4, 1, count, weights, values, width, output, output_width); break;
    case 4: value_blocks(4, 2, 1, count, weights, values, width, output, output_width); break;
    default: value_blocks(TILE_ROWS, 2, 1, count, weights, values, width, output, output_width);
    }
}

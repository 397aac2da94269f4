// The two products of attention, for one panel of queries (in the backward also: of keys).
//
// A panel is 1, 2 or VECTORS vectors of LANES rows side by side, one row a lane: element c of all its rows lies
// together, [width][lanes]. The other operand is read where it is, row by row, one number broadcast to all lanes. So
// neither product packs keys or values, maxima and sums over keys need nothing across lanes, and what happens in a lane
// depends on nothing but that lane: a query alone has the bits that it has among others.
//
// The file that includes this names the instructions: `vector` of LANES floats, VECTORS, and how many rows a tile of
// 1, 2 or VECTORS vectors takes so that its sums fill the registers: TILE_ROWS(vectors).
#pragma once

#define AT(pointer, index) (((vector *)(pointer))[index])

// scores[j][lane] = Σ_c rows[j][c] panel[c][lane] for `count` rows j, each sum from c = 0 on; `highest` grows to the
// largest score of each lane.
ORRERY_INLINE void score_tile(const int count, const int vectors, long width, const float *rows, long row_stride,
    const float *panel, float *scores, vector *highest) {
    vector sum[24];
    ORRERY_UNROLL for (int i = 0; i < count * vectors; i++) sum[i] = SPLAT(0);
    _Pragma("clang loop unroll_count(4)") for (long c = 0; c < width; c++) {
        vector lanes[4];
        ORRERY_UNROLL for (int v = 0; v < vectors; v++) lanes[v] = AT(panel, c * vectors + v);
        ORRERY_UNROLL for (int i = 0; i < count; i++) {
            vector number = SPLAT(rows[i * row_stride + c]);
            ORRERY_UNROLL for (int v = 0; v < vectors; v++) sum[i * vectors + v] += number * lanes[v];
        }
    }
    ORRERY_UNROLL for (int i = 0; i < count; i++) {
        ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
            vector score = sum[i * vectors + v];
            AT(scores, i * vectors + v) = score;
            if (highest) highest[v] = score > highest[v] ? score : highest[v];
        }
    }
}

// sums[c][lane] = keep[lane] sums[c][lane] + Σ_j rows[j][c] weights[j][lane] for `count` columns c. The terms of this
// call are added first and to the older sums then, as the rounding errors of a long chain would grow with its length.
ORRERY_INLINE void weighted_tile(const int count, const int vectors, long terms, const float *rows, long row_stride,
    const float *weights, const vector *keep, float *sums) {
    vector sum[24];
    ORRERY_UNROLL for (int i = 0; i < count * vectors; i++) sum[i] = SPLAT(0);
    _Pragma("clang loop unroll_count(4)") for (long j = 0; j < terms; j++) {
        vector lanes[4];
        ORRERY_UNROLL for (int v = 0; v < vectors; v++) lanes[v] = AT(weights, j * vectors + v);
        ORRERY_UNROLL for (int i = 0; i < count; i++) {
            vector number = SPLAT(rows[j * row_stride + i]);
            ORRERY_UNROLL for (int v = 0; v < vectors; v++) sum[i * vectors + v] += number * lanes[v];
        }
    }
    ORRERY_UNROLL for (int i = 0; i < count; i++) {
        ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
            vector before = AT(sums, i * vectors + v);
            AT(sums, i * vectors + v) = sum[i * vectors + v] + (keep ? before * keep[v] : before);
        }
    }
}

// All tiles of one product: the large ones, then what is left in fours, twos and ones.
#define EACH_TILE(total, large, body)                                      \
    {                                                                      \
        long at = 0, all = (total);                                        \
        for (; at + (large) <= all; at += (large)) { const int tile = (large); body; } \
        for (; at + 4 <= all; at += 4) { const int tile = 4; body; }       \
        for (; at + 2 <= all; at += 2) { const int tile = 2; body; }       \
        for (; at < all; at++) { const int tile = 1; body; }               \
    }

ORRERY_INLINE void score_tiles(const int vectors, long count, long width, const float *rows, long row_stride,
    const float *panel, float *scores, vector *highest) {
    EACH_TILE(count, TILE_ROWS(vectors), score_tile(tile, vectors, width, rows + at * row_stride, row_stride, panel,
        scores + at * vectors * LANES, highest))
}

ORRERY_INLINE void weighted_tiles(const int vectors, long terms, long width, const float *rows, long row_stride,
    const float *weights, const vector *keep, float *sums) {
    EACH_TILE(width, TILE_ROWS(vectors), weighted_tile(tile, vectors, terms, rows + at, row_stride, weights, keep,
        sums + at * vectors * LANES))
}

static __attribute__((noinline)) void score_panel(int vectors, long count, long width, const float *rows,
    long row_stride, const float *panel, float *scores, vector *highest) {
    switch (vectors) {
    case 1: return score_tiles(1, count, width, rows, row_stride, panel, scores, highest);
    case 2: return score_tiles(2, count, width, rows, row_stride, panel, scores, highest);
    default: return score_tiles(VECTORS, count, width, rows, row_stride, panel, scores, highest);
    }
}

static __attribute__((noinline)) void weighted_panel(int vectors, long terms, long width, const float *rows,
    long row_stride, const float *weights, const vector *keep, float *sums) {
    switch (vectors) {
    case 1: return weighted_tiles(1, terms, width, rows, row_stride, weights, keep, sums);
    case 2: return weighted_tiles(2, terms, width, rows, row_stride, weights, keep, sums);
    default: return weighted_tiles(VECTORS, terms, width, rows, row_stride, weights, keep, sums);
    }
}

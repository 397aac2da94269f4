// Which keys each query sees, and how a call is cut into chunks: shared by all paths.
//
// The query rows of the heads that share keys form one list, query after query: row r is head r % group of query
// r / group. So a chunk's rows lie side by side in memory, and see nearly the same keys.
#pragma once

#include "paged_attention.h"

enum {
    ORRERY_PAGED_ROWS = 64,  // rows of a chunk: a tile of keys and values is read once for all of them
    ORRERY_PAGED_TILE = 128, // keys between two looks at the maximum; tiles begin at its multiples
    ORRERY_PAGED_RUN = 4,    // tiles of a run, at least
    ORRERY_PAGED_UNITS = 8,  // with this number of chunks there is no need to cut the keys as well
    ORRERY_PAGED_RUNS = 64,  // runs of a row, at most
};

typedef struct {
    long first, end; // positions first ..< end
} orrery_positions;

static inline long orrery_paged_group(const orrery_paged_attention *call) { return call->heads / call->pages.kv_heads; }

static inline long orrery_paged_rows(const orrery_paged_attention *call) {
    return call->queries * orrery_paged_group(call);
}

// The positions that a query sees.
static inline orrery_positions orrery_paged_visible(const orrery_paged_attention *call, long query) {
    long after = call->first_position + query + 1;
    long end = call->length, first = 0;
    if ((call->causal || call->window) && after < end) end = after;
    if (call->window && after > call->window) first = after - call->window;
    return (orrery_positions){first, first < end ? end : first};
}

// The cut: row chunks by runs of keys, for each head of keys.
typedef struct {
    long row_chunks, runs;
    long first_tile, run_tiles; // run i begins at tile first_tile + i * run_tiles
} orrery_paged_cut;

static inline orrery_paged_cut orrery_paged_cut_of(const orrery_paged_attention *call) {
    orrery_paged_cut cut = {.runs = 1};
    cut.row_chunks = (orrery_paged_rows(call) + ORRERY_PAGED_ROWS - 1) / ORRERY_PAGED_ROWS;
    cut.first_tile = orrery_paged_visible(call, 0).first / ORRERY_PAGED_TILE;
    long end = orrery_paged_visible(call, call->queries - 1).end;
    long tiles = (end + ORRERY_PAGED_TILE - 1) / ORRERY_PAGED_TILE - cut.first_tile;
    cut.run_tiles = tiles > 0 ? tiles : 1;
    if (cut.row_chunks * call->pages.kv_heads >= ORRERY_PAGED_UNITS || tiles <= ORRERY_PAGED_RUN) return cut;
    long least = (tiles + ORRERY_PAGED_RUNS - 1) / ORRERY_PAGED_RUNS;
    cut.run_tiles = least > ORRERY_PAGED_RUN ? least : ORRERY_PAGED_RUN;
    cut.runs = (tiles + cut.run_tiles - 1) / cut.run_tiles;
    return cut;
}

// One chunk: rows first ..< end of a head of keys, and the keys of one run.
typedef struct {
    long kv_head, run;
    long first, end;
    orrery_positions keys;
} orrery_paged_chunk;

// The last rows come first: in causal attention they see the most, and the threads end together.
static inline orrery_paged_chunk orrery_paged_chunk_of(
    const orrery_paged_attention *call, const orrery_paged_cut *cut, long chunk) {
    orrery_paged_chunk own;
    long rows = orrery_paged_rows(call), group = orrery_paged_group(call);
    own.run = chunk % cut->runs;
    long unit = chunk / cut->runs;
    own.kv_head = unit % call->pages.kv_heads;
    own.first = (cut->row_chunks - 1 - unit / call->pages.kv_heads) * ORRERY_PAGED_ROWS;
    own.end = own.first + ORRERY_PAGED_ROWS < rows ? own.first + ORRERY_PAGED_ROWS : rows;

    // The visible range of a query starts and ends no earlier than that of the previous query.
    own.keys.first = orrery_paged_visible(call, own.first / group).first;
    own.keys.end = orrery_paged_visible(call, (own.end - 1) / group).end;
    long from = (cut->first_tile + own.run * cut->run_tiles) * ORRERY_PAGED_TILE;
    long to = from + cut->run_tiles * ORRERY_PAGED_TILE;
    if (own.keys.first < from) own.keys.first = from;
    if (own.keys.end > to) own.keys.end = to;
    return own;
}

// What a run found for a row: the maximum, the sum, and the unnormalized output, [value_width + 2] floats.
static inline float *orrery_paged_partial(
    const orrery_paged_attention *call, const orrery_paged_cut *cut, long kv_head, long row, long run) {
    long place = (kv_head * orrery_paged_rows(call) + row) * cut->runs + run;
    return call->partials + place * (call->pages.value_width + 2);
}

static inline const float *orrery_paged_query(const orrery_paged_attention *call, long kv_head, long row) {
    long group = orrery_paged_group(call);
    return call->q + row / group * call->q_stride + (kv_head * group + row % group) * call->pages.key_width;
}

static inline float *orrery_paged_output(const orrery_paged_attention *call, long kv_head, long row) {
    long group = orrery_paged_group(call);
    return call->o + row / group * call->o_stride + (kv_head * group + row % group) * call->pages.value_width;
}

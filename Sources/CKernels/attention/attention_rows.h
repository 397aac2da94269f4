// Which keys each query sees, and how a call is cut into chunks: shared by all rungs.
//
// The query rows of all heads that share keys and values form one list, head after head: row r is query r % queries of
// the group's head r / queries. Neighbors in that list share a chunk, so that a group of heads reads its keys once.
#pragma once

#include "flash_attention.h"

// Rows of one chunk: enough to read a tile of keys and values often while the tile is in the L2 cache.
enum { ORRERY_ATTENTION_CHUNK = 128 };

typedef struct {
    long first, end; // keys in first ..< end
} orrery_visible;

typedef struct {
    long head, query;
} orrery_query_row;

static inline const float *orrery_row_of(orrery_attention_rows rows, long head, long row) {
    return rows.start + head * rows.head_stride + row * rows.row_stride;
}

static inline float *orrery_result_of(orrery_attention_results rows, long head, long row) {
    return rows.start + head * rows.head_stride + row * rows.row_stride;
}

// Heads that share a head of keys.
static inline long orrery_group(const orrery_attention *call) { return call->heads / call->kv_heads; }

static inline long orrery_chunks_of(long rows) { return (rows + ORRERY_ATTENTION_CHUNK - 1) / ORRERY_ATTENTION_CHUNK; }

// Rows first ..< end of one head of keys.
typedef struct {
    long kv_head, first, end;
} orrery_chunk;

// The last rows come first: in causal attention their queries see the most, and the threads end together.
static inline orrery_chunk orrery_chunk_of(long chunk, long rows) {
    long chunks = orrery_chunks_of(rows);
    long first = (chunks - 1 - chunk % chunks) * ORRERY_ATTENTION_CHUNK;
    long end = first + ORRERY_ATTENTION_CHUNK < rows ? first + ORRERY_ATTENTION_CHUNK : rows;
    return (orrery_chunk){chunk / chunks, first, end};
}

static inline orrery_query_row orrery_query(const orrery_attention *call, long kv_head, long row) {
    return (orrery_query_row){kv_head * orrery_group(call) + row / call->queries, row % call->queries};
}

// The keys that a query sees.
static inline orrery_visible orrery_visible_keys(const orrery_attention *call, long query) {
    long end = call->keys, first = 0;
    if (call->causal || call->window) {
        end = query + call->keys - call->queries + 1;
        if (end < 0) end = 0;
    }
    if (call->window && end > call->window) first = end - call->window;
    return (orrery_visible){first, end};
}

// The queries that see a key: the inverse of the above.
static inline orrery_visible orrery_seeing_queries(const orrery_attention *call, long key) {
    long first = 0, end = call->queries;
    if (call->causal || call->window) first = key - (call->keys - call->queries);
    if (call->window && end > first + call->window) end = first + call->window;
    if (first < 0) first = 0;
    if (end < first) end = first;
    return (orrery_visible){first, end};
}

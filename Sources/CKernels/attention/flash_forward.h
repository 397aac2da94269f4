// Flash attention, forward, one chunk: panels of query rows against tiles of keys, with the online softmax.
//
// For each tile of keys, with s the scores of its keys in base 2 (log2 e and the scale are folded into the queries):
//     m' = max(m, max s)    α = 2^(m - m')    p = 2^(s - m')    l' = α l + Σ p    O' = α O + Σ p v
// and at the end O / l (Milakov & Gimelshein 2018, algorithm 3; Dao 2023, algorithm 1). A hidden key weighs exactly 0
// and α is exactly 1 if the maximum stays, so the bits of a row do not depend on the rows next to it.
#pragma once

#define LOWEST (-1.5e38f) // the maximum before the first key, above HIDDEN

// What a panel of queries keeps from tile to tile.
typedef struct {
    panel rows;
    vector highest[VECTORS], sum[VECTORS]; // m and l
    float *queries, *output;               // [width][lanes]
} query_panel;

static void begin_queries(query_panel *own, const orrery_attention *call, long kv_head) {
    const float *rows[PANEL_LANES];
    for (int lane = 0; lane < own->rows.lanes; lane++) {
        orrery_query_row place = orrery_query(call, kv_head, own->rows.row + lane);
        rows[lane] = orrery_row_of(call->q, place.head, place.query);
        lane_sees(&own->rows, lane, orrery_visible_keys(call, place.query));
    }
    pack_lanes(&own->rows, rows, call->width, call->scale * (float)LOG2_E, own->queries);
    for (int v = 0; v < own->rows.vectors; v++) {
        own->highest[v] = SPLAT(LOWEST);
        own->sum[v] = SPLAT(0);
    }
    memset(own->output, 0, sizeof(float) * (size_t)(call->width * own->rows.vectors * LANES));
}

// Scores of `count` keys become weights p; α goes to `keep`, and m and l follow.
ORRERY_INLINE void weigh(
    const int vectors, query_panel *own, const vector *highest, long count, float *scores, vector *keep) {
    vector most[VECTORS], sum[VECTORS];
    ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
        most[v] = highest[v];
        sum[v] = SPLAT(0);
    }
    for (long j = 0; j < count; j++) {
        ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
            vector weight = exp2_of(AT(scores, j * vectors + v) - most[v]);
            AT(scores, j * vectors + v) = weight;
            sum[v] += weight;
        }
    }
    ORRERY_UNROLL for (int v = 0; v < vectors; v++) {
        keep[v] = exp2_of(own->highest[v] - most[v]);
        own->highest[v] = most[v];
        own->sum[v] = own->sum[v] * keep[v] + sum[v];
    }
}

static void attend(query_panel *own, const orrery_attention *call, long kv_head, long tile, float *scores) {
    orrery_visible part = seen_in_tile(&own->rows, tile);
    long count = part.end - part.first;
    if (count <= 0) return;
    const int vectors = own->rows.vectors;
    const float *keys = orrery_row_of(call->k, kv_head, part.first);
    const float *values = orrery_row_of(call->v, kv_head, part.first);

    vector highest[VECTORS], keep[VECTORS];
    for (int v = 0; v < vectors; v++) highest[v] = own->highest[v];
    if (hides(&own->rows, part)) {
        score_panel(vectors, count, call->width, keys, call->k.row_stride, own->queries, scores, 0);
        hide(&own->rows, part, scores);
        for (long i = 0; i < count * vectors; i++) {
            vector score = AT(scores, i), *most = &highest[i % vectors];
            *most = score > *most ? score : *most;
        }
    } else {
        score_panel(vectors, count, call->width, keys, call->k.row_stride, own->queries, scores, highest);
    }
    switch (vectors) {
    case 1: weigh(1, own, highest, count, scores, keep); break;
    case 2: weigh(2, own, highest, count, scores, keep); break;
    default: weigh(VECTORS, own, highest, count, scores, keep);
    }
    weighted_panel(vectors, count, call->width, values, call->v.row_stride, scores, keep, own->output);
}

static void end_queries(const query_panel *own, const orrery_attention *call, long kv_head) {
    float *rows[PANEL_LANES], factors[PANEL_LANES];
    for (int lane = 0; lane < own->rows.lanes; lane++) {
        orrery_query_row place = orrery_query(call, kv_head, own->rows.row + lane);
        float sum = own->sum[lane / LANES][lane % LANES], highest = own->highest[lane / LANES][lane % LANES];
        rows[lane] = orrery_result_of(call->o, place.head, place.query);
        factors[lane] = sum == 0 ? 0 : 1 / sum;
        if (!call->log_sum_exp) continue;
        float *logarithm = &call->log_sum_exp[place.head * call->queries + place.query];
        *logarithm = sum == 0 ? -INFINITY : (float)(LN_2 * (highest + log2((double)sum)));
    }
    unpack_lanes(&own->rows, own->output, call->width, factors, rows);
}

static void forward(orrery_attention *call, long chunk) {
    orrery_chunk own = orrery_chunk_of(chunk, orrery_group(call) * call->queries);
    long panel_floats = call->width * PANEL_LANES;
    float *scores = chunk_scratch(call, SCORE_FLOATS + 2 * PANELS * panel_floats);
    if (!scores) return;

    query_panel panels[PANELS];
    float *memory = scores + SCORE_FLOATS;
    int count = 0;
    long first = call->keys, end = 0;
    for (long row = own.first; row < own.end; row += PANEL_LANES, count++) {
        query_panel *new = &panels[count];
        new->rows = panel_of(row, own.end, call->keys);
        new->queries = memory + 2 * count * panel_floats;
        new->output = new->queries + panel_floats;
        begin_queries(new, call, own.kv_head);
        if (new->rows.first < first) first = new->rows.first;
        if (new->rows.end > end) end = new->rows.end;
    }
    for (long tile = first / TILE * TILE; tile < end; tile += TILE) {
        for (int i = 0; i < count; i++) attend(&panels[i], call, own.kv_head, tile, scores);
    }
    for (int i = 0; i < count; i++) end_queries(&panels[i], call, own.kv_head);
}

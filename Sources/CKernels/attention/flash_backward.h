// Flash attention, backward: the scores are computed again and turned into weights by the log-sum-exp of the forward.
//
// With P = exp(S - L), δ = Σ dO O and dS = P (dO Vᵀ - δ) for every visible pair (Dao 2023, algorithm 2):
//     dQ = scale dS K        dK = scale dSᵀ Q        dV = Pᵀ dO
// Two parts, so that each sum has one owner and one order, whatever the number of threads: chunks of queries walk over
// the keys for dQ, chunks of keys walk over the queries for dK and dV. That costs 14 instead of 10 multiply-adds a pair
// and number of the width, and no atomic additions.
#pragma once

// The logarithm (base 2) that turns scores into weights; where a row saw no key all its scores are hidden anyway.
static float normalizer(const orrery_attention *call, orrery_query_row place) {
    float logarithm = call->log_sum_exp[place.head * call->queries + place.query];
    return logarithm == -INFINITY ? 0 : (float)(LOG2_E * logarithm);
}

typedef struct {
    panel rows;
    vector normalizer[VECTORS], delta[VECTORS];
    float *queries, *gradients, *sums; // q, dO and dQ, [width][lanes]
} query_gradient_panel;

static void begin_query_gradients(query_gradient_panel *own, const orrery_attention *call, long kv_head) {
    const float *rows[PANEL_LANES], *gradients[PANEL_LANES];
    for (int v = 0; v < own->rows.vectors; v++) own->normalizer[v] = own->delta[v] = SPLAT(0);
    for (int lane = 0; lane < own->rows.lanes; lane++) {
        orrery_query_row place = orrery_query(call, kv_head, own->rows.row + lane);
        const float *output = orrery_result_of(call->o, place.head, place.query);
        rows[lane] = orrery_row_of(call->q, place.head, place.query);
        gradients[lane] = orrery_row_of(call->d_o, place.head, place.query);
        lane_sees(&own->rows, lane, orrery_visible_keys(call, place.query));

        double delta = 0;
        for (long c = 0; c < call->width; c++) delta += (double)gradients[lane][c] * output[c];
        call->delta[place.head * call->queries + place.query] = (float)delta;
        own->delta[lane / LANES][lane % LANES] = (float)delta;
        own->normalizer[lane / LANES][lane % LANES] = normalizer(call, place);
    }
    pack_lanes(&own->rows, rows, call->width, call->scale * (float)LOG2_E, own->queries);
    pack_lanes(&own->rows, gradients, call->width, 1, own->gradients);
    memset(own->sums, 0, sizeof(float) * (size_t)(call->width * own->rows.vectors * LANES));
}

static void add_query_gradients(
    query_gradient_panel *own, const orrery_attention *call, long kv_head, long tile, float *scores, float *products) {
    orrery_visible part = seen_in_tile(&own->rows, tile);
    long count = part.end - part.first;
    if (count <= 0) return;
    const int vectors = own->rows.vectors;
    const float *keys = orrery_row_of(call->k, kv_head, part.first);
    const float *values = orrery_row_of(call->v, kv_head, part.first);

    score_panel(vectors, count, call->width, keys, call->k.row_stride, own->queries, scores, 0);
    if (hides(&own->rows, part)) hide(&own->rows, part, scores);
    score_panel(vectors, count, call->width, values, call->v.row_stride, own->gradients, products, 0);
    for (long j = 0; j < count; j++) {
        for (int v = 0; v < vectors; v++) {
            vector weight = exp2_of(AT(scores, j * vectors + v) - own->normalizer[v]);
            AT(scores, j * vectors + v) = weight * (AT(products, j * vectors + v) - own->delta[v]);
        }
    }
    weighted_panel(vectors, count, call->width, keys, call->k.row_stride, scores, 0, own->sums);
}

static void end_query_gradients(const query_gradient_panel *own, const orrery_attention *call, long kv_head) {
    float *rows[PANEL_LANES], factors[PANEL_LANES];
    for (int lane = 0; lane < own->rows.lanes; lane++) {
        orrery_query_row place = orrery_query(call, kv_head, own->rows.row + lane);
        rows[lane] = orrery_result_of(call->d_q, place.head, place.query);
        factors[lane] = call->scale;
    }
    unpack_lanes(&own->rows, own->sums, call->width, factors, rows);
}

static void backward_queries(orrery_attention *call, long chunk) {
    orrery_chunk own = orrery_chunk_of(chunk, orrery_group(call) * call->queries);
    long panel_floats = call->width * PANEL_LANES;
    float *scores = chunk_scratch(call, 2 * SCORE_FLOATS + 3 * PANELS * panel_floats);
    if (!scores) return;

    query_gradient_panel panels[PANELS];
    float *memory = scores + 2 * SCORE_FLOATS;
    int count = 0;
    long first = call->keys, end = 0;
    for (long row = own.first; row < own.end; row += PANEL_LANES, count++) {
        query_gradient_panel *new = &panels[count];
        new->rows = panel_of(row, own.end, call->keys);
        new->queries = memory + 3 * count * panel_floats;
        new->gradients = new->queries + panel_floats;
        new->sums = new->gradients + panel_floats;
        begin_query_gradients(new, call, own.kv_head);
        if (new->rows.first < first) first = new->rows.first;
        if (new->rows.end > end) end = new->rows.end;
    }
    for (long tile = first / TILE * TILE; tile < end; tile += TILE) {
        for (int i = 0; i < count; i++) {
            add_query_gradients(&panels[i], call, own.kv_head, tile, scores, scores + SCORE_FLOATS);
        }
    }
    for (int i = 0; i < count; i++) end_query_gradients(&panels[i], call, own.kv_head);
}

typedef struct {
    panel rows;
    float *keys, *values, *key_sums, *value_sums; // k, v, dK and dV, [width][lanes]
} key_gradient_panel;

static void begin_key_gradients(key_gradient_panel *own, const orrery_attention *call, long kv_head) {
    const float *keys[PANEL_LANES], *values[PANEL_LANES];
    for (int lane = 0; lane < own->rows.lanes; lane++) {
        long key = own->rows.row + lane;
        keys[lane] = orrery_row_of(call->k, kv_head, key);
        values[lane] = orrery_row_of(call->v, kv_head, key);
        lane_sees(&own->rows, lane, orrery_seeing_queries(call, key));
    }
    pack_lanes(&own->rows, keys, call->width, call->scale * (float)LOG2_E, own->keys);
    pack_lanes(&own->rows, values, call->width, 1, own->values);
    size_t bytes = sizeof(float) * (size_t)(call->width * own->rows.vectors * LANES);
    memset(own->key_sums, 0, bytes);
    memset(own->value_sums, 0, bytes);
}

static void add_key_gradients(
    key_gradient_panel *own, const orrery_attention *call, long head, long tile, float *scores, float *products) {
    orrery_visible part = seen_in_tile(&own->rows, tile);
    long count = part.end - part.first;
    if (count <= 0) return;
    const int vectors = own->rows.vectors;
    const float *queries = orrery_row_of(call->q, head, part.first);
    const float *gradients = orrery_row_of(call->d_o, head, part.first);

    score_panel(vectors, count, call->width, queries, call->q.row_stride, own->keys, scores, 0);
    if (hides(&own->rows, part)) hide(&own->rows, part, scores);
    score_panel(vectors, count, call->width, gradients, call->d_o.row_stride, own->values, products, 0);
    for (long i = 0; i < count; i++) {
        orrery_query_row place = {head, part.first + i};
        vector logarithm = SPLAT(normalizer(call, place));
        vector delta = SPLAT(call->delta[head * call->queries + place.query]);
        for (int v = 0; v < vectors; v++) {
            vector weight = exp2_of(AT(scores, i * vectors + v) - logarithm);
            AT(scores, i * vectors + v) = weight;
            AT(products, i * vectors + v) = weight * (AT(products, i * vectors + v) - delta);
        }
    }
    weighted_panel(vectors, count, call->width, gradients, call->d_o.row_stride, scores, 0, own->value_sums);
    weighted_panel(vectors, count, call->width, queries, call->q.row_stride, products, 0, own->key_sums);
}

static void end_key_gradients(const key_gradient_panel *own, const orrery_attention *call, long kv_head) {
    float *keys[PANEL_LANES], *values[PANEL_LANES], scales[PANEL_LANES], ones[PANEL_LANES];
    for (int lane = 0; lane < own->rows.lanes; lane++) {
        keys[lane] = orrery_result_of(call->d_k, kv_head, own->rows.row + lane);
        values[lane] = orrery_result_of(call->d_v, kv_head, own->rows.row + lane);
        scales[lane] = call->scale;
        ones[lane] = 1;
    }
    unpack_lanes(&own->rows, own->key_sums, call->width, scales, keys);
    unpack_lanes(&own->rows, own->value_sums, call->width, ones, values);
}

static void backward_keys(orrery_attention *call, long chunk) {
    orrery_chunk own = orrery_chunk_of(chunk, call->keys);
    long panel_floats = call->width * PANEL_LANES;
    float *scores = chunk_scratch(call, 2 * SCORE_FLOATS + 4 * PANELS * panel_floats);
    if (!scores) return;

    key_gradient_panel panels[PANELS];
    float *memory = scores + 2 * SCORE_FLOATS;
    int count = 0;
    long first = call->queries, end = 0;
    for (long row = own.first; row < own.end; row += PANEL_LANES, count++) {
        key_gradient_panel *new = &panels[count];
        new->rows = panel_of(row, own.end, call->queries);
        new->keys = memory + 4 * count * panel_floats;
        new->values = new->keys + panel_floats;
        new->key_sums = new->values + panel_floats;
        new->value_sums = new->key_sums + panel_floats;
        begin_key_gradients(new, call, own.kv_head);
        if (new->rows.first < first) first = new->rows.first;
        if (new->rows.end > end) end = new->rows.end;
    }
    long group = orrery_group(call);
    for (long head = own.kv_head * group; head < (own.kv_head + 1) * group; head++) {
        for (long tile = first / TILE * TILE; tile < end; tile += TILE) {
            for (int i = 0; i < count; i++) {
                add_key_gradients(&panels[i], call, head, tile, scores, scores + SCORE_FLOATS);
            }
        }
    }
    for (int i = 0; i < count; i++) end_key_gradients(&panels[i], call, own.kv_head);
}

// One chunk: up to 64 query rows against a run of keys, tile after tile, with the online softmax.
//
// For each tile of 128 keys with scores s:
//     m' = max(m, max s)    α = e^(m - m')    p = e^(s - m')    l' = α l + Σ p    O' = α O + Σ p v
// and at the end O / l (Milakov & Gimelshein 2018, algorithm 3; Dao 2023, algorithm 1). A hidden key weighs exactly 0
// and α is exactly 1 if the maximum stays.
#pragma once

#define HIDDEN (-3.0e38f)  // the score of a key that is not seen: its weight is 0 against any maximum
#define LOWEST (-1.5e38f)  // the maximum before the first key

// A chunk's rows and what they carry from tile to tile; the scratch memory of a thread holds it.
typedef struct {
    const orrery_paged_attention *call;
    orrery_paged_chunk place;
    int rows;
    long output_width; // value_width, rounded up to whole vectors
    float *queries;    // per group of rows [key_width][rows of the group], scaled
    float *scores;     // [rows][ORRERY_PAGED_TILE]
    float *output;     // [rows][output_width]
    float highest[ORRERY_PAGED_ROWS], sum[ORRERY_PAGED_ROWS], keep[ORRERY_PAGED_ROWS];
    orrery_positions sees[ORRERY_PAGED_ROWS];
} paged_rows;

// Rows are computed TILE_ROWS at a time, the last ones rounded up to a power of two: the rest of it is zeros.
static int rows_at(const paged_rows *own, int row) {
    int left = own->rows - row, count = 1;
    if (left >= TILE_ROWS) return TILE_ROWS;
    while (count < left) count *= 2;
    return count;
}

static int begin_rows(paged_rows *own, orrery_paged_attention *call, orrery_paged_chunk place) {
    const long width = call->pages.key_width;
    own->call = call;
    own->place = place;
    own->rows = (int)(place.end - place.first);
    own->output_width = (call->pages.value_width + LANES - 1) / LANES * LANES;
    size_t query_floats = (size_t)((ORRERY_PAGED_ROWS * width + LANES - 1) / LANES * LANES);
    size_t output_floats = (size_t)(ORRERY_PAGED_ROWS * own->output_width);
    size_t floats = (size_t)(ORRERY_PAGED_ROWS * ORRERY_PAGED_TILE) + query_floats + output_floats;
    own->scores = orrery_scratch(ORRERY_SCRATCH_ATTENTION, sizeof(float) * floats);
    if (!own->scores) {
        call->failed = 1;
        return 0;
    }
    own->output = own->scores + ORRERY_PAGED_ROWS * ORRERY_PAGED_TILE;
    own->queries = own->output + output_floats;
    for (int row = 0; row < own->rows; row += TILE_ROWS) {
        int count = rows_at(own, row);
        for (int i = 0; i < count; i++) {
            float *to = own->queries + row * width + i;
            const int real = row + i < own->rows;
            const float *from = orrery_paged_query(call, place.kv_head, place.first + (real ? row + i : 0));
            for (long c = 0; c < width; c++) to[c * count] = real ? from[c] * call->scale : 0;
        }
        memset(own->output + row * own->output_width, 0, sizeof(float) * (size_t)(count * own->output_width));
    }
    for (int row = 0; row < own->rows; row++) {
        own->highest[row] = LOWEST;
        own->sum[row] = 0;
        own->sees[row] = orrery_paged_visible(call, (place.first + row) / orrery_paged_group(call));
    }
    return 1;
}

// Scores of `count` keys from `first` on, whole blocks of them; neighbors share the page, which stays in the cache.
static void score_tile(const paged_rows *own, long first, long count) {
    const orrery_pages *pages = &own->call->pages;
    const long size = pages->page_size, width = pages->key_width;
    for (long key = 0; key < count; key += BLOCK_KEYS) {
        long position = first + key;
        const float *keys = pages->keys[position / size] + own->place.kv_head * width * size + position % size;
        for (int row = 0; row < own->rows; row += TILE_ROWS) {
            float *scores = own->scores + row * ORRERY_PAGED_TILE + key;
            score_rows(rows_at(own, row), width, own->queries + row * width, keys, size, scores);
        }
    }
}

// tanh x = 1 - 2 / (e^2x + 1), and near 0, where that loses digits, its series: within 5e-8 of each other at 0.3.
ORRERY_INLINE vector tanh_of(vector x) {
    vector square = x * x;
    vector series = SPLAT(62.0f / 2835) * square - 17.0f / 315;
    series = series * square + 2.0f / 15;
    series = series * square - 1.0f / 3;
    series = series * square * x + x;
    vector bounded = x > SPLAT(40.0f) ? SPLAT(40.0f) : x;
    vector far = 1.0f - 2.0f / (exp_of(bounded * 2.0f) + 1.0f);
    return square < SPLAT(0.09f) ? series : far;
}

// Softcap and ALiBi, where the model has them.
static void bend_scores(const paged_rows *own, long first, long count) {
    const orrery_paged_attention *call = own->call;
    const long group = orrery_paged_group(call);
    for (int row = 0; row < own->rows; row++) {
        float *scores = own->scores + row * ORRERY_PAGED_TILE;
        if (call->softcap != 0) {
            for (long key = 0; key < count; key += LANES) {
                store(scores + key, tanh_of(load(scores + key) * (1 / call->softcap)) * call->softcap);
            }
        }
        if (!call->alibi_slopes) continue;
        long index = own->place.first + row, position = call->first_position + index / group;
        float slope = call->alibi_slopes[own->place.kv_head * group + index % group];
        for (long key = 0; key < count; key++) scores[key] += slope * (float)(first + key - position);
    }
}

static void hide_unseen(float *scores, orrery_positions sees, long first, long count) {
    long from = sees.first - first, to = sees.end - first;
    if (from > count) from = count;
    if (to < 0) to = 0;
    for (long key = 0; key < from; key++) scores[key] = HIDDEN;
    for (long key = to; key < count; key++) scores[key] = HIDDEN;
}

ORRERY_INLINE float greatest_lane(vector x) {
    float most = x[0];
    ORRERY_UNROLL for (int lane = 1; lane < LANES; lane++) most = x[lane] > most ? x[lane] : most;
    return most;
}

ORRERY_INLINE float sum_of_lanes(vector x) {
    float half[LANES];
    ORRERY_UNROLL for (int lane = 0; lane < LANES; lane++) half[lane] = x[lane];
    ORRERY_UNROLL for (int step = LANES / 2; step > 0; step /= 2) {
        ORRERY_UNROLL for (int lane = 0; lane < step; lane++) half[lane] += half[lane + step];
    }
    return half[0];
}

// Scores become weights; `keep` gets α, and the sums follow.
static void weigh_tile(paged_rows *own, long first, long count) {
    float before[ORRERY_PAGED_ROWS];
    for (int row = 0; row < own->rows; row++) {
        float *scores = own->scores + row * ORRERY_PAGED_TILE;
        hide_unseen(scores, own->sees[row], first, count);
        vector most = SPLAT(own->highest[row]);
        for (long key = 0; key < count; key += LANES) {
            vector score = load(scores + key);
            most = score > most ? score : most;
        }
        before[row] = own->highest[row];
        own->highest[row] = greatest_lane(most);
    }
    for (int row = own->rows; row % LANES; row++) before[row] = own->highest[row] = LOWEST;
    for (int row = 0; row < own->rows; row += LANES) {
        store(own->keep + row, exp_of(load(before + row) - load(own->highest + row)));
    }
    for (int row = 0; row < own->rows; row++) {
        float *scores = own->scores + row * ORRERY_PAGED_TILE;
        vector sum = SPLAT(0);
        for (long key = 0; key < count; key += LANES) {
            vector weight = exp_of(load(scores + key) - own->highest[row]);
            store(scores + key, weight);
            sum += weight;
        }
        own->sum[row] = own->sum[row] * own->keep[row] + sum_of_lanes(sum);
        if (own->keep[row] == 1) continue;
        float *output = own->output + row * own->output_width;
        for (long c = 0; c < own->output_width; c += LANES) store(output + c, load(output + c) * own->keep[row]);
    }
}

// O += p v for the positions of `keys`, page after page.
static void add_values(const paged_rows *own, long first, orrery_positions keys) {
    const orrery_pages *pages = &own->call->pages;
    const long size = pages->page_size, width = pages->value_width;
    for (long position = keys.first; position < keys.end;) {
        long count = size - position % size;
        if (count > keys.end - position) count = keys.end - position;
        const float *values =
            pages->values[position / size] + (own->place.kv_head * size + position % size) * width;
        for (int row = 0; row < own->rows; row += TILE_ROWS) {
            const float *weights = own->scores + row * ORRERY_PAGED_TILE + (position - first);
            float *output = own->output + row * own->output_width;
            weigh_values(rows_at(own, row), count, weights, values, width, output, own->output_width);
        }
        position += count;
    }
}

static void end_rows(const paged_rows *own, const orrery_paged_cut *cut) {
    const orrery_paged_attention *call = own->call;
    const long width = call->pages.value_width;
    for (int row = 0; row < own->rows; row++) {
        const float *output = own->output + row * own->output_width;
        long index = own->place.first + row;
        if (cut->runs > 1) {
            float *partial = orrery_paged_partial(call, cut, own->place.kv_head, index, own->place.run);
            partial[0] = own->highest[row];
            partial[1] = own->sum[row];
            memcpy(partial + 2, output, sizeof(float) * (size_t)width);
        } else {
            float *to = orrery_paged_output(call, own->place.kv_head, index);
            float factor = own->sum[row] == 0 ? 0 : 1 / own->sum[row];
            for (long c = 0; c < width; c++) to[c] = output[c] * factor;
        }
    }
}

static void forward(orrery_paged_attention *call, long chunk) {
    orrery_paged_cut cut = orrery_paged_cut_of(call);
    paged_rows own;
    if (!begin_rows(&own, call, orrery_paged_chunk_of(call, &cut, chunk))) return;
    orrery_positions all = own.place.keys;
    for (long tile = all.first / ORRERY_PAGED_TILE * ORRERY_PAGED_TILE; tile < all.end; tile += ORRERY_PAGED_TILE) {
        // From the first block in which any row sees a key to the last.
        orrery_positions keys = {tile, tile + ORRERY_PAGED_TILE < all.end ? tile + ORRERY_PAGED_TILE : all.end};
        if (keys.first < all.first) keys.first = all.first;
        long first = keys.first / BLOCK_KEYS * BLOCK_KEYS;
        long count = (keys.end - first + BLOCK_KEYS - 1) / BLOCK_KEYS * BLOCK_KEYS;
        score_tile(&own, first, count);
        if (call->softcap != 0 || call->alibi_slopes) bend_scores(&own, first, count);
        weigh_tile(&own, first, count);
        add_values(&own, first, keys);
    }
    end_rows(&own, &cut);
}

// A panel: up to PANEL_LANES rows side by side, one a lane, and what each of them sees.
//
// The forward and the first part of the backward hold queries in the lanes and walk over keys; the second part of the
// backward holds keys and walks over queries. "Others" below are what is walked over.
//
// The file that includes this has defined `vector`, `lane_numbers`, LANES, VECTORS and `exp2_of`.
#pragma once

enum {
    PANEL_LANES = VECTORS * LANES,
    PANELS = (ORRERY_ATTENTION_CHUNK + PANEL_LANES - 1) / PANEL_LANES,
    TILE = 192, // others at a time; tiles begin at its multiples, whatever a panel sees
    SCORE_FLOATS = TILE * PANEL_LANES,
};

#define HIDDEN (-3.0e38f) // the score of what is not seen: its weight is 0 against any maximum
#define LOG2_E 1.44269504088896340736
#define LN_2 0.69314718055994530942

typedef struct {
    int vectors;                 // 1, 2 or VECTORS
    int lanes;                   // rows that are real; the other lanes hold zeros
    long row;                    // the first of them
    long first, end;             // others that any row sees
    long every_first, every_end; // others that all rows see
    lane_numbers sees_from[VECTORS], sees_to[VECTORS];
} panel;

static panel panel_of(long row, long rows, long others) {
    panel own = {.row = row, .first = others, .end = 0, .every_first = 0, .every_end = others};
    own.lanes = (int)(rows - row < PANEL_LANES ? rows - row : PANEL_LANES);
    own.vectors = own.lanes <= LANES ? 1 : own.lanes <= 2 * LANES ? 2 : VECTORS;
    for (int v = 0; v < own.vectors; v++) own.sees_from[v] = own.sees_to[v] = (lane_numbers)(0);
    return own;
}

static void lane_sees(panel *own, int lane, orrery_visible others) {
    own->sees_from[lane / LANES][lane % LANES] = (int)others.first;
    own->sees_to[lane / LANES][lane % LANES] = (int)others.end;
    if (others.first > own->every_first) own->every_first = others.first;
    if (others.end < own->every_end) own->every_end = others.end;
    if (others.first >= others.end) return;
    if (others.first < own->first) own->first = others.first;
    if (others.end > own->end) own->end = others.end;
}

// The part of a tile that a panel sees; empty if first >= end.
static orrery_visible seen_in_tile(const panel *own, long tile) {
    long first = tile > own->first ? tile : own->first;
    long end = tile + TILE < own->end ? tile + TILE : own->end;
    return (orrery_visible){first, end};
}

static int hides(const panel *own, orrery_visible part) {
    return part.first < own->every_first || part.end > own->every_end;
}

// Gives HIDDEN to the scores of those that a lane does not see, among `range`; scores are [part][lanes].
static void hide_among(const panel *own, orrery_visible range, orrery_visible part, float *scores) {
    for (long other = range.first; other < range.end; other++) {
        lane_numbers number = (lane_numbers)((int)other);
        for (int v = 0; v < own->vectors; v++) {
            vector *score = &AT(scores, (other - part.first) * own->vectors + v);
            *score = number >= own->sees_from[v] && number < own->sees_to[v] ? *score : SPLAT(HIDDEN);
        }
    }
}

// The same for a part of a tile: only at its ends is there anything to hide.
static void hide(const panel *own, orrery_visible part, float *scores) {
    orrery_visible before = {part.first, part.end < own->every_first ? part.end : own->every_first};
    orrery_visible after = {part.first > own->every_end ? part.first : own->every_end, part.end};
    hide_among(own, before, part, scores);
    hide_among(own, after, part, scores);
}

typedef float four __attribute__((ext_vector_type(4), aligned(4)));

ORRERY_INLINE void transpose(four rows[4]) {
    four a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    four b = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    four c = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    four d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    rows[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    rows[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    rows[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    rows[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// Rows become lanes: to[c][lane] = factor * rows[lane][c], and 0 in lanes without a row.
static void pack_lanes(const panel *own, const float *const *rows, long width, float factor, float *to) {
    const int lanes = own->vectors * LANES;
    int lane = 0;
    for (; lane + 4 <= own->lanes; lane += 4) {
        long c = 0;
        for (; c + 4 <= width; c += 4) {
            four block[4];
            ORRERY_UNROLL for (int i = 0; i < 4; i++) block[i] = *(const four *)(rows[lane + i] + c) * factor;
            transpose(block);
            ORRERY_UNROLL for (int i = 0; i < 4; i++) *(four *)(to + (c + i) * lanes + lane) = block[i];
        }
        for (; c < width; c++) {
            for (int i = 0; i < 4; i++) to[c * lanes + lane + i] = factor * rows[lane + i][c];
        }
    }
    for (; lane < lanes; lane++) {
        for (long c = 0; c < width; c++) to[c * lanes + lane] = lane < own->lanes ? factor * rows[lane][c] : 0;
    }
}

// And back: rows[lane][c] = factors[lane] * from[c][lane].
static void unpack_lanes(const panel *own, const float *from, long width, const float *factors, float *const *rows) {
    const int lanes = own->vectors * LANES;
    int lane = 0;
    for (; lane + 4 <= own->lanes; lane += 4) {
        four factor = *(const four *)(factors + lane);
        long c = 0;
        for (; c + 4 <= width; c += 4) {
            four block[4];
            const float *corner = from + c * lanes + lane;
            ORRERY_UNROLL for (int i = 0; i < 4; i++) block[i] = *(const four *)(corner + i * lanes) * factor;
            transpose(block);
            ORRERY_UNROLL for (int i = 0; i < 4; i++) *(four *)(rows[lane + i] + c) = block[i];
        }
        for (; c < width; c++) {
            for (int i = 0; i < 4; i++) rows[lane + i][c] = factors[lane + i] * from[c * lanes + lane + i];
        }
    }
    for (; lane < own->lanes; lane++) {
        for (long c = 0; c < width; c++) rows[lane][c] = factors[lane] * from[c * lanes + lane];
    }
}

static float *chunk_scratch(orrery_attention *call, long floats) {
    float *scratch = orrery_scratch(ORRERY_SCRATCH_ATTENTION, sizeof(float) * (size_t)floats);
    if (!scratch) __atomic_store_n(&call->failed, 1, __ATOMIC_RELAXED);
    return scratch;
}

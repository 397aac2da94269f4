// The encoder of Q4_K and Q5_K: each run of 32 is fitted by x ~ s·q - m with q in 0...15 (0...31) and m >= 0, large
// weights counting more.
//
// The fit starts from the span of the run and tries 21 (16) slightly different steps; for the whole numbers that each
// gives, s and m follow by weighted least squares, and the best pair stays. The scales and minima of a block's eight
// runs then share one f16 each and keep 6 bits, and the integers are recomputed from the rounded values.
//
// The same search, operation by operation, as ggml's quantize_row_q4_K_ref and quantize_row_q5_K_ref: the same bytes.
#include "row_formats.h"
#include "side_by_side.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

enum { RUN = 32, RUNS = 8 };

typedef struct {
    float top;        // the largest level
    float first_step; // what is added to it in the first trial; a tenth more in each that follows
    int trials;
} search;

typedef struct {
    float x[RUN][RUNS];      // a column a run
    float weight[RUN][RUNS]; // how much each x counts
    float level[RUN][RUNS];
    float scale[RUNS], minimum[RUNS]; // x ~ scale · level - minimum
} runs;

ORRERY_INLINE void weigh(runs *r) {
    float squares[RUNS] = {0};
    for (int i = 0; i < RUN; i++) {
        for (int j = 0; j < RUNS; j++) squares[j] += r->x[i][j] * r->x[i][j];
    }
    for (int j = 0; j < RUNS; j++) squares[j] = sqrtf(squares[j] / RUN);
    for (int i = 0; i < RUN; i++) {
        for (int j = 0; j < RUNS; j++) r->weight[i][j] = squares[j] + fabsf(r->x[i][j]);
    }
}

// The levels that `steps` to the unit give from `low` on, and how far they are from x when read as scale · level +
// base.
ORRERY_INLINE float error_of(const runs *r, int j, int i, float level, float scale, float base) {
    float difference = scale * level + base - r->x[i][j];
    return r->weight[i][j] * (difference * difference);
}

ORRERY_INLINE void fit_runs(runs *r, search how) {
    float low[RUNS], high[RUNS], steps[RUNS], best_steps[RUNS], best_low[RUNS], error[RUNS] = {0};
    float w[RUNS] = {0}, wx[RUNS] = {0};
    weigh(r);
    for (int j = 0; j < RUNS; j++) low[j] = high[j] = r->x[0][j];
    for (int i = 0; i < RUN; i++) {
        for (int j = 0; j < RUNS; j++) {
            low[j] = r->x[i][j] < low[j] ? r->x[i][j] : low[j];
            high[j] = r->x[i][j] > high[j] ? r->x[i][j] : high[j];
            w[j] += r->weight[i][j];
            wx[j] += r->weight[i][j] * r->x[i][j];
        }
    }
    for (int j = 0; j < RUNS; j++) {
        low[j] = low[j] > 0 ? 0 : low[j];
        steps[j] = how.top / (high[j] - low[j]);
        r->scale[j] = 1 / steps[j];
        best_steps[j] = steps[j];
        best_low[j] = low[j];
    }
    for (int i = 0; i < RUN; i++) {
        for (int j = 0; j < RUNS; j++) {
            float level = nearest_level(steps[j] * (r->x[i][j] - low[j]), 0, how.top);
            error[j] += error_of(r, j, i, level, r->scale[j], low[j]);
        }
    }
    for (int trial = 0; trial < how.trials; trial++) {
        float wq[RUNS] = {0}, wqq[RUNS] = {0}, wqx[RUNS] = {0}, tried[RUNS] = {0}, scale[RUNS], lowest[RUNS];
        int determined[RUNS];
        for (int j = 0; j < RUNS; j++) steps[j] = (how.first_step + 0.1f * (float)trial + how.top) / (high[j] - low[j]);
        for (int i = 0; i < RUN; i++) {
            for (int j = 0; j < RUNS; j++) {
                float level = nearest_level(steps[j] * (r->x[i][j] - low[j]), 0, how.top);
                float weighted = r->weight[i][j] * level;
                r->level[i][j] = level;
                wq[j] += weighted;
                wqq[j] += weighted * level;
                wqx[j] += weighted * r->x[i][j];
            }
        }
        for (int j = 0; j < RUNS; j++) {
            float determinant = w[j] * wqq[j] - wq[j] * wq[j];
            float slope = (w[j] * wqx[j] - wx[j] * wq[j]) / determinant;
            float base = (wqq[j] * wx[j] - wq[j] * wqx[j]) / determinant;
            determined[j] = determinant > 0;
            scale[j] = base > 0 ? wqx[j] / wqq[j] : slope;
            lowest[j] = base > 0 ? 0 : base;
        }
        for (int i = 0; i < RUN; i++) {
            for (int j = 0; j < RUNS; j++) tried[j] += error_of(r, j, i, r->level[i][j], scale[j], lowest[j]);
        }
        for (int j = 0; j < RUNS; j++) {
            int better = determined[j] && tried[j] < error[j];
            error[j] = better ? tried[j] : error[j];
            r->scale[j] = better ? scale[j] : r->scale[j];
            best_steps[j] = better ? steps[j] : best_steps[j];
            best_low[j] = better ? low[j] : best_low[j];
            low[j] = better ? lowest[j] : low[j]; // later trials start from here
        }
    }
    // A run of equal weights had no span: infinite steps, a scale of zero and levels that are not numbers, and so zero.
    for (int j = 0; j < RUNS; j++) r->minimum[j] = -low[j];
    for (int i = 0; i < RUN; i++) {
        for (int j = 0; j < RUNS; j++) {
            r->level[i][j] = nearest_level(best_steps[j] * (r->x[i][j] - best_low[j]), 0, how.top);
        }
    }
}

// The first 16 bytes of a block, and the levels that fit what they keep. Where a scale came to nothing the levels of
// the search stay.
ORRERY_INLINE void encode_head(runs *r, float top, uint8_t *block) {
    float largest_scale = 0, largest_minimum = 0;
    for (int j = 0; j < RUNS; j++) {
        largest_scale = r->scale[j] > largest_scale ? r->scale[j] : largest_scale;
        largest_minimum = r->minimum[j] > largest_minimum ? r->minimum[j] : largest_minimum;
    }
    uint16_t d = half_of_float(largest_scale / 63), dmin = half_of_float(largest_minimum / 63);
    float scale_steps = largest_scale > 0 ? 63 / largest_scale : 0;
    float minimum_steps = largest_minimum > 0 ? 63 / largest_minimum : 0;
    uint8_t *packed = block + 4;
    store_half(block, d);
    store_half(block + 2, dmin);
    memset(packed, 0, 12);
    for (int j = 0; j < RUNS; j++) {
        int scale = (int)nearest_level(scale_steps * r->scale[j], 0, 63);
        int minimum = (int)nearest_level(minimum_steps * r->minimum[j], 0, 63);
        if (j < 4) {
            packed[j] |= (uint8_t)scale;
            packed[j + 4] |= (uint8_t)minimum;
        } else {
            packed[j + 4] = (uint8_t)((scale & 15) | (minimum & 15) << 4);
            packed[j - 4] |= (uint8_t)(scale >> 4 << 6);
            packed[j] |= (uint8_t)(minimum >> 4 << 6);
        }
        float step = float_of_half(d) * (float)scale, off = float_of_half(dmin) * (float)minimum;
        if (step == 0) continue;
        for (int i = 0; i < RUN; i++) r->level[i][j] = nearest_level((r->x[i][j] + off) / step, 0, top);
    }
}

ORRERY_INLINE void encode(const float *x, search how, uint8_t *block, uint8_t *high, uint8_t *nibbles) {
    runs r;
    for (int j = 0; j < RUNS; j++) {
        for (int i = 0; i < RUN; i++) r.x[i][j] = x[RUN * j + i];
    }
    fit_runs(&r, how);
    encode_head(&r, how.top, block);
    for (int i = 0; i < RUN; i++) {
        int fifth = 0;
        for (int j = 0; j < RUNS; j += 2) {
            int even = (int)r.level[i][j], odd = (int)r.level[i][j + 1];
            nibbles[16 * j + i] = (uint8_t)((even & 15) | (odd & 15) << 4);
            fifth |= even >> 4 << j | odd >> 4 << (j + 1);
        }
        if (high) high[i] = (uint8_t)fifth;
    }
}

static const search sixteen_levels = {.top = 15, .first_step = -1, .trials = 21};
static const search thirty_two_levels = {.top = 31, .first_step = -0.5f, .trials = 16};

void orrery_encode_q4_k(const float *x, uint8_t *block) { encode(x, sixteen_levels, block, 0, block + 16); }

void orrery_encode_q5_k(const float *x, uint8_t *block) {
    encode(x, thirty_two_levels, block, block + 16, block + 48);
}

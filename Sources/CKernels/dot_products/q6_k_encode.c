// The encoder of Q6_K: each run of 16 is fitted by x ~ s·q with q in -32...31, squares of the weights counting.
//
// The fit starts from the weight of largest magnitude at -32 and tries 18 slightly different steps; for the whole
// numbers that each gives, s follows by weighted least squares, and the best stays. The sixteen scales keep 8 bits of
// the largest and share one f16, and the integers are recomputed from the rounded values.
//
// The same search, operation by operation, as ggml's quantize_row_q6_K_ref: the same bytes.
#include "row_formats.h"
#include "side_by_side.h"

#include <math.h>

#pragma STDC FP_CONTRACT OFF

enum { RUN = 16, RUNS = 16, TRIALS = 9 }; // trials on each side of the first

static const float nothing = 1e-15f; // a run, or a scale, below is zero

typedef struct {
    float x[RUN][RUNS]; // a column a run
    float level[RUN][RUNS];
    float scale[RUNS];
} runs;

ORRERY_INLINE void sums_with(runs *r, const float *steps, float *along, float *across) {
    for (int j = 0; j < RUNS; j++) along[j] = across[j] = 0;
    for (int i = 0; i < RUN; i++) {
        for (int j = 0; j < RUNS; j++) {
            float x = r->x[i][j], weight = x * x;
            float level = nearest_level(steps[j] * x, -32, 31);
            along[j] += weight * x * level;
            across[j] += weight * level * level;
        }
    }
}

ORRERY_INLINE void fit_runs(runs *r) {
    float extreme[RUNS] = {0}, steps[RUNS], best_steps[RUNS], along[RUNS], across[RUNS], best[RUNS];
    for (int i = 0; i < RUN; i++) {
        for (int j = 0; j < RUNS; j++) extreme[j] = fabsf(r->x[i][j]) > fabsf(extreme[j]) ? r->x[i][j] : extreme[j];
    }
    for (int j = 0; j < RUNS; j++) best_steps[j] = steps[j] = -32 / extreme[j];
    sums_with(r, steps, along, across);
    for (int j = 0; j < RUNS; j++) {
        r->scale[j] = across[j] != 0 ? along[j] / across[j] : 0;
        best[j] = r->scale[j] * along[j];
    }
    for (int trial = -TRIALS; trial <= TRIALS; trial++) {
        if (trial == 0) continue;
        for (int j = 0; j < RUNS; j++) steps[j] = -(32 + 0.1f * (float)trial) / extreme[j];
        sums_with(r, steps, along, across);
        for (int j = 0; j < RUNS; j++) {
            int better = across[j] > 0 && along[j] * along[j] > best[j] * across[j];
            float scale = along[j] / across[j];
            r->scale[j] = better ? scale : r->scale[j];
            best[j] = better ? scale * along[j] : best[j];
            best_steps[j] = better ? steps[j] : best_steps[j];
        }
    }
    for (int i = 0; i < RUN; i++) {
        for (int j = 0; j < RUNS; j++) r->level[i][j] = nearest_level(best_steps[j] * r->x[i][j], -32, 31) + 32;
    }
    for (int j = 0; j < RUNS; j++) {
        if (!(fabsf(extreme[j]) < nothing)) continue;
        r->scale[j] = 0;
        for (int i = 0; i < RUN; i++) r->level[i][j] = 0;
    }
}

void orrery_encode_q6_k(const float *x, uint8_t *block) {
    runs r;
    float largest = 0;
    for (int j = 0; j < RUNS; j++) {
        for (int i = 0; i < RUN; i++) r.x[i][j] = x[RUN * j + i];
    }
    fit_runs(&r);
    for (int j = 0; j < RUNS; j++) largest = fabsf(r.scale[j]) > fabsf(largest) ? r.scale[j] : largest;
    memset(block, 0, Q6_K_BYTES);
    if (fabsf(largest) < nothing) return;
    float steps = -128 / largest;
    uint16_t d = half_of_float(1 / steps);
    store_half(block + 208, d);
    for (int j = 0; j < RUNS; j++) {
        int scale = (int)nearest_level(steps * r.scale[j], -128, 127);
        float step = float_of_half(d) * (float)scale;
        block[192 + j] = (uint8_t)(int8_t)scale;
        if (step == 0) continue;
        for (int i = 0; i < RUN; i++) r.level[i][j] = nearest_level(r.x[i][j] / step, -32, 31) + 32;
    }
    for (int place = 0; place < 256; place++) {
        int level = (int)r.level[place % RUN][place / RUN];
        int half = place / 128, part = place % 128 / 32, l = place % 32;
        block[64 * half + 32 * (part % 2) + l] |= (uint8_t)((level & 15) << part / 2 * 4);
        block[128 + 32 * half + l] |= (uint8_t)(level >> 4 << 2 * part);
    }
}

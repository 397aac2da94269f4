// Activations in int8 as the tiles read them: of a tile of x, run after run of 32 columns, its rows together.
//
// A run has the scale amax / 127 in float32, so that its extreme is 127 steps; x · (127 / amax) is rounded to nearest,
// ties to even. That is finer than the 256 columns a scale of llama.cpp for the K types, and than its float16 scales.
// A run with an infinity or a NaN gets the scale NaN, and with it its row of y.
#pragma once

#include "panel_kernels.h"

enum { RUN = 32 };

typedef struct {
    int8_t q[ROWS_OF_X][RUN];
    float scale[ROWS_OF_X];
    // Where integer sums begin: -zero · Σq, since weights are stored as w + zero. Of a whole run, or of its halves.
    int32_t start[2][ROWS_OF_X];
    float sum[ROWS_OF_X]; // scale · Σq, which minima meet
} activation_run;

// For unpackings whose codes are w + zero; `halves` where scales of W cover 16 columns.
void orrery_pack_activation_runs(
    const orrery_weight_product *product, span rows, span columns, int zero, int halves, activation_run *runs);

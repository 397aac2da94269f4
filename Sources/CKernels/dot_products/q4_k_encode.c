// The Q4_K encoder: each run of 32 is fitted by x ~ s·q - m with q in 0...15 and m >= 0, large weights counting more.
//
// The fit starts from the span of the run and tries 21 slightly different steps; for the whole numbers that each gives,
// s and m follow by weighted least squares, and the best pair stays. The scales and minima of a block's eight runs then
// share one f16 each and keep 6 bits, and the whole numbers are taken again with what was kept.
// The same search as ggml's quantize_row_q4_K_ref, in whose words the weights are sqrt(mean x^2) + |x|.
#include "quantized_rows.h"
#include "row_formats.h"

#include <math.h>

enum { RUN = 32, RUNS = 8, TOP = 15, STEPS_TRIED = 21 };

typedef struct {
    float scale, minimum; // x ~ scale · q - minimum
} fit;

static int nearest(float x, int top) {
    if (!(x > 0)) return 0; // NaN too
    return x < (float)top ? (int)lrintf(x) : top;
}

static float fit_error(const float *x, const float *weight, const int *q, float scale, float lowest) {
    float error = 0;
    for (int i = 0; i < RUN; i++) {
        float difference = scale * (float)q[i] + lowest - x[i];
        error += weight[i] * difference * difference;
    }
    return error;
}

// The scale and the offset, at most zero, that fit q best; 0 where they are not determined.
static int least_squares(const float *x, const float *weight, const int *q, float *scale, float *lowest) {
    float w = 0, wq = 0, wqq = 0, wx = 0, wqx = 0;
    for (int i = 0; i < RUN; i++) {
        float level = (float)q[i];
        w += weight[i];
        wq += weight[i] * level;
        wqq += weight[i] * level * level;
        wx += weight[i] * x[i];
        wqx += weight[i] * level * x[i];
    }
    float determinant = w * wqq - wq * wq;
    if (!(determinant > 0)) return 0;
    *scale = (w * wqx - wx * wq) / determinant;
    *lowest = (wqq * wx - wq * wqx) / determinant;
    if (*lowest > 0) {
        *lowest = 0;
        *scale = wqx / wqq;
    }
    return 1;
}

static fit fit_run(const float *x) {
    float weight[RUN], squares = 0, low = 0, high = x[0];
    for (int i = 0; i < RUN; i++) {
        squares += x[i] * x[i];
        low = fminf(low, x[i]);
        high = fmaxf(high, x[i]);
    }
    for (int i = 0; i < RUN; i++) weight[i] = sqrtf(squares / RUN) + fabsf(x[i]);
    if (!(high > low)) return (fit){0, -low};
    int q[RUN];
    float best = (high - low) / TOP, steps = TOP / (high - low);
    for (int i = 0; i < RUN; i++) q[i] = nearest(steps * (x[i] - low), TOP);
    float error = fit_error(x, weight, q, best, low);
    for (int trial = 0; trial < STEPS_TRIED; trial++) {
        float scale, lowest;
        steps = (-1 + 0.1f * (float)trial + TOP) / (high - low);
        for (int i = 0; i < RUN; i++) q[i] = nearest(steps * (x[i] - low), TOP);
        if (!least_squares(x, weight, q, &scale, &lowest)) continue;
        float tried = fit_error(x, weight, q, scale, lowest);
        if (tried < error) {
            error = tried;
            best = scale;
            low = lowest; // later trials start from here
        }
    }
    return (fit){best, -low};
}

void orrery_encode_q4_k(const float *x, uint8_t *block) {
    fit fits[RUNS];
    float largest_scale = 0, largest_minimum = 0;
    for (int j = 0; j < RUNS; j++) {
        fits[j] = fit_run(x + RUN * j);
        largest_scale = fmaxf(largest_scale, fits[j].scale);
        largest_minimum = fmaxf(largest_minimum, fits[j].minimum);
    }
    uint16_t d = half_of_float(largest_scale / 63), dmin = half_of_float(largest_minimum / 63);
    float scale_steps = largest_scale > 0 ? 63 / largest_scale : 0;
    float minimum_steps = largest_minimum > 0 ? 63 / largest_minimum : 0;
    memset(block, 0, Q4_K_BYTES);
    memcpy(block, &d, 2);
    memcpy(block + 2, &dmin, 2);
    uint8_t *packed = block + 4;
    for (int j = 0; j < RUNS; j++) {
        int scale = nearest(scale_steps * fits[j].scale, 63), minimum = nearest(minimum_steps * fits[j].minimum, 63);
        if (j < 4) {
            packed[j] |= (uint8_t)scale;
            packed[j + 4] |= (uint8_t)minimum;
        } else {
            packed[j + 4] = (uint8_t)((scale & 15) | (minimum & 15) << 4);
            packed[j - 4] |= (uint8_t)(scale >> 4 << 6);
            packed[j] |= (uint8_t)(minimum >> 4 << 6);
        }
        float step = float_of_half(d) * (float)scale, off = float_of_half(dmin) * (float)minimum;
        for (int i = 0; i < RUN; i++) {
            int q = step != 0 ? nearest((x[RUN * j + i] + off) / step, TOP) : 0;
            block[16 + j / 2 * 32 + i] |= (uint8_t)(q << j % 2 * 4);
        }
    }
}

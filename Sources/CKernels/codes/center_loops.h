// Products of vectors with panels of centers: tables of one vector, nearest centers of many.
//
// Idea: a block of 64 centers is four vectors of 16 floats a dimension, so that a block of results stays in registers
// and no sum runs across a vector. Four points share each load of the panel; 32 points share the block while it is in
// the first cache. The results are folded into the nearest at once and never written.
//
// Included once a path, with ORRERY_PATH(name) giving the path's name. Vectors of 64 bytes become one, two or four
// registers, as the path has them.
#include <string.h>

#include "codes.h"
#include "instruction_sets.h"
#include "lanes.h"

#define POINTS_OF_TILE 32

void ORRERY_PATH(orrery_codes_tables)(const float *x, ptrdiff_t dimension, const float *panel, const float *bias,
                                      float factor, ptrdiff_t blocks, float *out) {
    for (ptrdiff_t block = 0; block < blocks; block++) {
        const float *centers = panel + block * dimension * ORRERY_PANEL;
        lanes even[4] = {{0}};
        lanes odd[4] = {{0}};
        ptrdiff_t j = 0;
        for (; j + 2 <= dimension; j += 2) {
            const float *row = centers + j * ORRERY_PANEL;
            ORRERY_UNROLL for (int v = 0; v < 4; v++) {
                lanes first, second;
                LOAD(first, row + 16 * v);
                LOAD(second, row + ORRERY_PANEL + 16 * v);
                even[v] += x[j] * first;
                odd[v] += x[j + 1] * second;
            }
        }
        if (j < dimension) {
            ORRERY_UNROLL for (int v = 0; v < 4; v++) {
                lanes last;
                LOAD(last, centers + j * ORRERY_PANEL + 16 * v);
                even[v] += x[j] * last;
            }
        }
        ORRERY_UNROLL for (int v = 0; v < 4; v++) {
            lanes start;
            LOAD(start, bias + block * ORRERY_PANEL + 16 * v);
            lanes value = start + factor * (even[v] + odd[v]);
            STORE(out + block * ORRERY_PANEL + 16 * v, value);
        }
    }
}

// The nearest so far of one point, a candidate a lane.
struct ORRERY_PATH(nearest) {
    lanes value;
    lane_indices index;
};

// Four points by one block: folds 4 x 64 numbers into the nearest.
static void ORRERY_PATH(fold_block)(const float *points[4], ptrdiff_t dimension, const float *centers,
                                    const float *bias, float factor, int32_t first,
                                    struct ORRERY_PATH(nearest) *nearest) {
    lanes sums[4][4] = {{{0}}};
    const float *a = points[0];
    const float *b = points[1];
    const float *c = points[2];
    const float *d = points[3];
    for (ptrdiff_t j = 0; j < dimension; j++) {
        const float *row = centers + j * ORRERY_PANEL;
        ORRERY_UNROLL for (int v = 0; v < 4; v++) {
            lanes values;
            LOAD(values, row + 16 * v);
            sums[0][v] += a[j] * values;
            sums[1][v] += b[j] * values;
            sums[2][v] += c[j] * values;
            sums[3][v] += d[j] * values;
        }
    }
    const lane_indices steps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    ORRERY_UNROLL for (int p = 0; p < 4; p++) {
        lanes best = nearest[p].value;
        lane_indices index = nearest[p].index;
        ORRERY_UNROLL for (int v = 0; v < 4; v++) {
            lanes start;
            LOAD(start, bias + 16 * v);
            lanes value = start + factor * sums[p][v];
            lane_indices nearer = value < best;
            lane_indices here = steps + (first + 16 * v);
            best = (lanes)(((lane_indices)value & nearer) | ((lane_indices)best & ~nearer));
            index = (here & nearer) | (index & ~nearer);
        }
        nearest[p].value = best;
        nearest[p].index = index;
    }
}

void ORRERY_PATH(orrery_codes_nearest)(const float *points, ptrdiff_t stride, ptrdiff_t dimension, ptrdiff_t count,
                                       const float *panel, const float *bias, float factor, ptrdiff_t blocks,
                                       int32_t *index, float *least) {
    struct ORRERY_PATH(nearest) nearest[POINTS_OF_TILE];
    for (ptrdiff_t start = 0; start < count; start += POINTS_OF_TILE) {
        ptrdiff_t points_here = count - start < POINTS_OF_TILE ? count - start : POINTS_OF_TILE;
        for (ptrdiff_t p = 0; p < POINTS_OF_TILE; p++) {
            for (int lane = 0; lane < 16; lane++) {
                nearest[p].value[lane] = __builtin_inff();
                nearest[p].index[lane] = 0;
            }
        }
        for (ptrdiff_t block = 0; block < blocks; block++) {
            for (ptrdiff_t p = 0; p < points_here; p += 4) {
                const float *four[4];
                // Beyond the last point the last one is taken again.
                for (int i = 0; i < 4; i++) {
                    ptrdiff_t point = p + i < points_here ? p + i : points_here - 1;
                    four[i] = points + (start + point) * stride;
                }
                ORRERY_PATH(fold_block)(four, dimension, panel + block * dimension * ORRERY_PANEL,
                                        bias + block * ORRERY_PANEL, factor, (int32_t)(block * ORRERY_PANEL),
                                        nearest + p);
            }
        }
        for (ptrdiff_t p = 0; p < points_here; p++) {
            float best = nearest[p].value[0];
            int32_t center = nearest[p].index[0];
            for (int lane = 1; lane < 16; lane++) {
                float value = nearest[p].value[lane];
                int32_t other = nearest[p].index[lane];
                if (value < best || (value == best && other < center)) {
                    best = value;
                    center = other;
                }
            }
            index[start + p] = center;
            if (least) least[start + p] = best;
        }
    }
}

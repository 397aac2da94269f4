// Convolution without columns: the windows are read from the padded planes themselves.
//
//   y[o][place] = bias[o] + Σ over taps of weight[o][tap] · plane[place + offset of the tap]
//
// This is a matrix product whose second matrix is never written: its row for a tap is the plane, moved. A tile is 8
// outputs by 3 vectors of places; a tap costs 3 loads, 8 broadcasts and 24 multiply-adds. Places run over the width of
// the padded plane; those between the rows are computed for nothing (2 of 16 for 14 columns) and not stored.
//
// The gradient of x is a convolution too: of the gradient of y, padded by the reach of the kernel less the padding,
// with the kernel reversed, channels and outputs exchanged.
#include "paths.h"

#include "../scratch.h"

#if defined(__x86_64__)

#include "planes_avx512.h"

enum { ROWS = 8, VECTORS = 3 };

// The lanes of a vector that are in one row of the result, and where that row is.
typedef struct {
    long from;
    __mmask16 lanes;
} segment;

typedef struct {
    segment of[16];
    int count;
} segments;

typedef struct {
    const float *planes;
    const long *offsets;
    long taps, width;     // of the padded planes
    const float *weights; // [outputs / 8][taps][8]
    const float *bias;    // or null
    long outputs, rows, columns;
    float *y;
} correlation;

ORRERY_BEGIN_AVX512

static segments segments_at(const correlation *c, long place) {
    segments all = {.count = 0};
    const long gap = c->width - c->columns;
    for (long r = place / c->width; r < c->rows && r * c->width < place + 16; r++) {
        long first = greatest(0, r * c->width - place), end = least(16, r * c->width + c->columns - place);
        if (end <= first) continue;
        __mmask16 lanes = (__mmask16)((0xffffu >> (16 - end)) & (0xffffu << first));
        all.of[all.count++] = (segment){place - r * gap, lanes};
    }
    return all;
}

ORRERY_INLINE void tile(
    const correlation *c, const int rows, const int vectors, const float *weights, const float *bias, long place,
    const segments *parts, float *y) {
    const float *planes = c->planes + place;
    __m512 sums[ROWS * VECTORS];
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        __m512 start = bias ? _mm512_set1_ps(bias[i]) : _mm512_setzero_ps();
        ORRERY_UNROLL for (int j = 0; j < vectors; j++) sums[i * vectors + j] = start;
    }
    for (long t = 0; t < c->taps; t++) {
        const float *from = planes + c->offsets[t];
        __m512 x[VECTORS];
        ORRERY_UNROLL for (int j = 0; j < vectors; j++) x[j] = _mm512_loadu_ps(from + 16 * j);
        ORRERY_UNROLL for (int i = 0; i < rows; i++) {
            __m512 factor = _mm512_set1_ps(weights[ROWS * t + i]);
            ORRERY_UNROLL for (int j = 0; j < vectors; j++) {
                sums[i * vectors + j] = _mm512_fmadd_ps(factor, x[j], sums[i * vectors + j]);
            }
        }
    }
    const long plane = c->rows * c->columns;
    ORRERY_UNROLL for (int j = 0; j < vectors; j++) {
        for (int part = 0; part < parts[j].count; part++) {
            segment to = parts[j].of[part];
            ORRERY_UNROLL for (int i = 0; i < rows; i++) {
                _mm512_mask_storeu_ps(y + i * plane + to.from, to.lanes, sums[i * vectors + j]);
            }
        }
    }
}

typedef void tile_function(
    const correlation *c, const float *weights, const float *bias, long place, const segments *parts, float *y);

#define TILE(rows, vectors)                                                                                            \
    static __attribute__((noinline)) void tile_##rows##_##vectors(                                                     \
        const correlation *c, const float *weights, const float *bias, long place, const segments *parts, float *y) {  \
        tile(c, rows, vectors, weights, bias, place, parts, y);                                                        \
    }
#define TILES(rows) TILE(rows, 1) TILE(rows, 2) TILE(rows, 3)
#define ENTRY(rows) {tile_##rows##_1, tile_##rows##_2, tile_##rows##_3}

TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6) TILES(7) TILES(8)

static tile_function *const tiles[ROWS][VECTORS] = {ENTRY(1), ENTRY(2), ENTRY(3), ENTRY(4),
                                                    ENTRY(5), ENTRY(6), ENTRY(7), ENTRY(8)};

static void correlate(const correlation *c) {
    const long places = (c->rows - 1) * c->width + c->columns;
    for (long place = 0; place < places; place += 16 * VECTORS) {
        long vectors = least(VECTORS, quotient_up(places - place, 16));
        segments parts[VECTORS];
        for (long j = 0; j < vectors; j++) parts[j] = segments_at(c, place + 16 * j);
        for (long o = 0; o < c->outputs; o += ROWS) {
            tile_function *compute = tiles[least(ROWS, c->outputs - o) - 1][vectors - 1];
            compute(
                c, c->weights + o * c->taps, c->bias ? c->bias + o : 0, place, parts,
                c->y + o * c->rows * c->columns);
        }
    }
}

// Packed weights of one group, [outputs / 8][taps][8]: an output's as they are, or a channel's, reversed.
static void pack_forward(const shape *s, const float *weights, float *packed) {
    const long taps = taps_of(s);
    for (long o = 0; o < s->outputs; o++) {
        float *to = packed + o / ROWS * ROWS * taps + o % ROWS;
        for (long t = 0; t < taps; t++) to[t * ROWS] = weights[o * taps + t];
    }
}

static void pack_reversed(const shape *s, const float *weights, float *packed) {
    const long kernel = s->kernel_rows * s->kernel_columns, taps = s->outputs * kernel;
    for (long c = 0; c < s->channels; c++) {
        float *to = packed + c / ROWS * ROWS * taps + c % ROWS;
        for (long o = 0; o < s->outputs; o++) {
            const float *from = weights + (o * s->channels + c) * kernel;
            for (long k = 0; k < kernel; k++) to[(o * kernel + k) * ROWS] = from[kernel - 1 - k];
        }
    }
}

typedef struct {
    float *planes, *packed;
    long *offsets;
} workspace;

// Memory for padded planes of one group, and for packed weights and offsets of all groups and one.
static int reserve(workspace *w, const shape *s, long planes, const padded *p, long results) {
    long taps = planes * s->kernel_rows * s->kernel_columns;
    long packed = s->groups * quotient_up(results, ROWS) * ROWS * taps;
    w->planes = orrery_scratch(ORRERY_SCRATCH_TILE, planes * p->size * sizeof(float));
    w->offsets = orrery_scratch(ORRERY_SCRATCH_A, taps * sizeof(long));
    w->packed = orrery_scratch(ORRERY_SCRATCH_B, packed * sizeof(float));
    return w->planes && w->offsets && w->packed ? 0 : -1;
}

int orrery_convolution_forward_direct(
    const shape *s, range images, const float *x, const float *weights, const float *bias, float *y) {
    const long taps = taps_of(s), plane = s->rows * s->columns, group = quotient_up(s->outputs, ROWS) * ROWS * taps;
    padded p = padded_plane(
        s->rows, s->columns, s->padding_rows, s->padding_columns, s->rows + 2 * s->padding_rows,
        s->columns + 2 * s->padding_columns);
    workspace w;
    if (reserve(&w, s, s->channels, &p, s->outputs)) return -1;
    write_offsets(s, s->channels, &p, w.offsets);
    for (long g = 0; g < s->groups; g++) pack_forward(s, weights + g * s->outputs * taps, w.packed + g * group);
    for (long i = 0; i < images.count * s->groups; i++) {
        const long g = i % s->groups;
        for (long c = 0; c < s->channels; c++) copy_plane(&p, x + (i * s->channels + c) * plane, w.planes + c * p.size);
        correlation call = {
            .planes = w.planes, .offsets = w.offsets, .taps = taps, .width = p.width, .weights = w.packed + g * group,
            .bias = bias ? bias + g * s->outputs : 0, .outputs = s->outputs, .rows = s->out_rows,
            .columns = s->out_columns, .y = y + i * s->outputs * s->out_rows * s->out_columns,
        };
        correlate(&call);
    }
    return 0;
}

int orrery_convolution_input_gradient_direct(
    const shape *s, range images, const float *weights, const float *y_gradient, float *x_gradient) {
    const long taps = s->outputs * s->kernel_rows * s->kernel_columns, plane = s->out_rows * s->out_columns;
    const long group = quotient_up(s->channels, ROWS) * ROWS * taps;
    const long before_rows = reach_rows(s) - s->padding_rows, before_columns = reach_columns(s) - s->padding_columns;
    padded p = padded_plane(
        s->out_rows, s->out_columns, before_rows, before_columns, s->out_rows + 2 * before_rows,
        s->out_columns + 2 * before_columns);
    workspace w;
    if (reserve(&w, s, s->outputs, &p, s->channels)) return -1;
    write_offsets(s, s->outputs, &p, w.offsets);
    for (long g = 0; g < s->groups; g++) {
        pack_reversed(s, weights + g * s->outputs * taps_of(s), w.packed + g * group);
    }
    for (long i = 0; i < images.count * s->groups; i++) {
        for (long o = 0; o < s->outputs; o++) {
            copy_plane(&p, y_gradient + (i * s->outputs + o) * plane, w.planes + o * p.size);
        }
        correlation call = {
            .planes = w.planes, .offsets = w.offsets, .taps = taps, .width = p.width,
            .weights = w.packed + i % s->groups * group, .outputs = s->channels, .rows = s->rows,
            .columns = s->columns, .y = x_gradient + i * s->channels * s->rows * s->columns,
        };
        correlate(&call);
    }
    return 0;
}

ORRERY_END

#endif

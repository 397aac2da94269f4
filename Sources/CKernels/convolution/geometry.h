// How a convolution is cut into chunks, and the sizes that follow from its shape.
#pragma once

#include "convolution.h"

#include "../instruction_sets.h"

typedef orrery_convolution shape;

ORRERY_INLINE long least(long a, long b) { return a < b ? a : b; }
ORRERY_INLINE long greatest(long a, long b) { return a > b ? a : b; }
ORRERY_INLINE long quotient_up(long a, long b) { return (a + b - 1) / b; }

// Numbers of one image, of one image of the result, and taps of one output.
ORRERY_INLINE long image_size(const shape *s) { return s->groups * s->channels * s->rows * s->columns; }
ORRERY_INLINE long result_size(const shape *s) { return s->groups * s->outputs * s->out_rows * s->out_columns; }
ORRERY_INLINE long taps_of(const shape *s) { return s->channels * s->kernel_rows * s->kernel_columns; }
ORRERY_INLINE long weights_of(const shape *s) { return s->groups * s->outputs * taps_of(s); }

// Elements start to (start + count) of `all`, the part of this number out of `parts`.
typedef struct {
    long start, count;
} range;

ORRERY_INLINE range part_of(long all, long parts, long index) {
    long start = all * index / parts;
    return (range){start, all * (index + 1) / parts - start};
}

// How far a kernel reaches beyond its first element.
ORRERY_INLINE long reach_rows(const shape *s) { return (s->kernel_rows - 1) * s->dilation_rows; }
ORRERY_INLINE long reach_columns(const shape *s) { return (s->kernel_columns - 1) * s->dilation_columns; }

// How the gradient of the weights is cut: images into parts that are summed by themselves (at most 64 MiB of sums),
// and, where these are few, outputs.
typedef struct {
    long image_parts, output_parts;
} weight_cut;

ORRERY_INLINE weight_cut weight_cut_of(const shape *s) {
    enum { WANTED = 16 };
    long bytes = greatest(1, (weights_of(s) + s->groups * s->outputs) * (long)sizeof(float));
    long image_parts = greatest(1, least(least(s->batch, WANTED), (64l << 20) / bytes));
    long output_parts = greatest(1, least(quotient_up(s->outputs, 8), WANTED / 2 / image_parts));
    return (weight_cut){image_parts, output_parts};
}

// Planes with room around them, and the offsets of a kernel's taps in them.
//
// A plane [rows, columns] is copied into one of a larger width, zeros around it. A tap then is at the same distance
// from every place, and sixteen places that follow each other, also over the end of a row, are one vector.
#pragma once

#include "geometry.h"

#include "../rows/lanes_avx512.h"

#include <string.h>

typedef struct {
    long rows, columns;         // of the plane that is copied
    long before_rows, before_columns;
    long width;                 // from row to row of the copy
    long size;                  // from copy to copy: a multiple of 16, vectors that stick out included
} padded;

// Rows and columns of the copy, with what vectors may read past the last place.
ORRERY_INLINE padded padded_plane(
    long rows, long columns, long before_rows, long before_columns, long height, long width) {
    long size = quotient_up(height * width, 16) * 16 + 64;
    return (padded){rows, columns, before_rows, before_columns, width, size};
}

ORRERY_BEGIN_AVX512

ORRERY_INLINE void clear(float *to, long count) {
    for (long i = 0; i < count; i += 16) _mm512_mask_storeu_ps(to + i, lanes_from(i, count), _mm512_setzero_ps());
}

// Copies one plane; zeros everywhere around.
ORRERY_INLINE void copy_plane(const padded *p, const float *from, float *to) {
    float *row = to + p->before_rows * p->width + p->before_columns;
    clear(to, row - to);
    const long gap = p->width - p->columns;
    for (long r = 0; r < p->rows; r++) {
        for (long i = 0; i < p->columns; i += 16) {
            __mmask16 lanes = lanes_from(i, p->columns);
            _mm512_mask_storeu_ps(row + i, lanes, _mm512_maskz_loadu_ps(lanes, from + i));
        }
        if (gap > 0 && r + 1 < p->rows) clear(row + p->columns, gap);
        from += p->columns;
        row += p->width;
    }
    row -= gap;
    clear(row, to + p->size - row);
}

ORRERY_END

// offsets[tap] from a place of the first plane, taps being numbered as in the weights.
ORRERY_INLINE void write_offsets(const shape *s, long planes, const padded *p, long *offsets) {
    for (long c = 0; c < planes; c++) {
        for (long i = 0; i < s->kernel_rows; i++) {
            for (long j = 0; j < s->kernel_columns; j++) {
                *offsets++ = c * p->size + i * s->dilation_rows * p->width + j * s->dilation_columns;
            }
        }
    }
}

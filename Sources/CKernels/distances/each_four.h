// How a list of rows is gone through: four at a time, the rows of a later four asked for before they are needed. A last
// group that is not full repeats its last row, so that every row is computed by the same instructions.
#pragma once

#include "distances.h"
#include "instruction_sets.h"

enum { ROWS_AHEAD = 8, MOST_LINES = 32 };

// `stride` bytes from row to row, `bytes` of each are used.
typedef struct {
    const char *base;
    long stride, bytes;
    const uint32_t *slots;
    long count;
} row_list;

ORRERY_INLINE const char *listed_row(const row_list *list, long i) {
    long last = list->count - 1;
    long at = i < last ? i : last;
    return list->base + (list->slots ? (long)list->slots[at] : at) * list->stride;
}

ORRERY_INLINE void ask_for_row(const row_list *list, long i) {
    if (i >= list->count) return;
    const char *row = listed_row(list, i);
    long bytes = list->bytes < 64 * MOST_LINES ? list->bytes : 64 * MOST_LINES;
    for (long at = 0; at < bytes; at += 64) __builtin_prefetch(row + at, 0, 3);
}

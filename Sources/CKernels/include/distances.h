// Distances between vectors: what vector indexes spend their time on.
//
// Rows are in one block, `stride` elements apart. A list of slots says which of them are meant; a null list means the
// first `count` rows. The distance of two vectors has the same bits in every list, at every place of it, and whichever
// of the two is the query.
#pragma once

#include <stddef.h>
#include <stdint.h>

// From one query [dimension] to `count` rows of float32:
//   l2:  sum (query - row)^2                     offset is not looked at
//   dot: offset - sum query * row                offset 0: minus the inner product; 1: one minus the cosine
// Sixteen lanes of float32, term p in lane p mod 16: the relative error of a sum is at most (dimension / 16 + 8) 2^-24
// of the sum of the sizes of its terms.
#define ORRERY_DISTANCES(path) \
    void orrery_distances_l2_##path(const float *query, const float *base, long stride, long dimension, float offset, \
        const uint32_t *slots, long count, float *distances); \
    void orrery_distances_dot_##path(const float *query, const float *base, long stride, long dimension, float offset, \
        const uint32_t *slots, long count, float *distances);

// The same between codes of one byte, exact in int32. `stride` is a multiple of 64, the bytes past the dimension are 0.
// Codes are between -63 and 63, so that a difference fits into a byte; `stride` is at most 65,536.
//   l2:  sum (query - row)^2
//   dot: - sum query * row
#define ORRERY_CODE_DISTANCES(path) \
    void orrery_code_distances_l2_##path(const int8_t *query, const int8_t *base, long stride, const uint32_t *slots, \
        long count, int32_t *distances); \
    void orrery_code_distances_dot_##path(const int8_t *query, const int8_t *base, long stride, const uint32_t *slots, \
        long count, int32_t *distances);

// encode_vector: codes[p] = round((row[p] - center[p]) * scale), kept between -63 and 63; zeros from `dimension` to
//   `stride`.
// largest_difference: the largest |x - y| of two vectors.
// positions_below: which of `count` positions hold a number below `bound`; products_below: which have
//   start + factor * product below their own bound. They return how many; `positions` has room for count + 1.
#define ORRERY_ENCODING(path) \
    void orrery_encode_vector_##path( \
        const float *row, const float *center, float scale, long dimension, long stride, int8_t *codes); \
    float orrery_largest_difference_##path(const float *x, const float *y, long count); \
    long orrery_positions_below_##path(const float *numbers, long count, float bound, uint32_t *positions); \
    long orrery_products_below_##path(const float *products, long count, float start, float factor, \
        const float *bounds, uint32_t *positions);

ORRERY_DISTANCES(portable)
ORRERY_ENCODING(portable)
ORRERY_CODE_DISTANCES(portable)
#if defined(__x86_64__)
ORRERY_DISTANCES(avx2)
ORRERY_DISTANCES(avx512)
ORRERY_ENCODING(avx2)
ORRERY_ENCODING(avx512)
ORRERY_CODE_DISTANCES(avx2)
ORRERY_CODE_DISTANCES(vnni)
#endif

/// Turns the bits of floats into int32 of the same order, in place.
void orrery_order_of_floats(float *numbers, long count);

// The walk of a graph.
//
// A list of links has `width` slots; UINT32_MAX stands for none and ends it. A beam is what a walk has found so far: at
// most `capacity` entries in rising order, each order of the distance << 32 | slot << 1 | whether it was expanded.

/// The links of a list that are not in the bits `visited` yet; they are then. Asks for `lines` cache lines of the row
/// of each. Returns how many there are; `found` has room for `width`. Others may write the list meanwhile.
long orrery_unvisited(const uint32_t *links, long width, uint64_t *visited, const void *base, long stride_bytes,
    long lines, uint32_t *found);

/// Copies a list, and writes one, while others read it: a reader may see old links next to new ones, never half of one.
/// Who writes has the lock of the list.
void orrery_copy_links(const uint32_t *list, long width, uint32_t *links);
void orrery_store_links(uint32_t *list, long width, const uint32_t *links, long count);

/// Puts slots into a beam where they are nearer than its last entry or there is room.
/// Returns the lowest position at which something came in, `capacity` for none.
long orrery_beam_insert(uint64_t *beam, long *size, long capacity, const int32_t *orders, const uint32_t *slots,
    long count, const void *links, long links_bytes);

/// Waits for the lock in a byte (0: free) and takes it.
void orrery_lock_byte(uint8_t *lock);
void orrery_unlock_byte(uint8_t *lock);

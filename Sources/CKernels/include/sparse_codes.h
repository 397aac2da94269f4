// Codes of which few are active: the largest are found, gathered, and multiplied by the rows that they stand for.
#pragma once

#include <stdint.h>

// x += bias, and maxima[g] = the largest of 0 and the x[j] with j mod groups = g. `groups` is a multiple of 16. The
// maxima above 0 are in different places of x: the kth largest of them is at most the kth largest of x.
void orrery_group_maxima_portable(float *x, const float *bias, long count, long groups, float *maxima);

// With loose = 0 the kth largest of x, none of which is negative; 0 if k > count. Else a t that is at most that: one
// that exactly k reach, or the largest one that at least k reach and whose lowest `loose` bits are 0.
float orrery_kth_largest_portable(const float *x, long count, long k, int loose);

// Where x is above floors[j], or, without floors, above 0 and at least `floor`: its places and numbers, in order.
// Returns how many. Both arrays have room for `count` numbers.
long orrery_gather_portable(
    const float *x, const float *floors, float floor, long count, uint32_t *places, float *numbers);

// products[i] = y . rows[index[i]], rows of `width` numbers one after the other.
void orrery_row_products_portable(
    const uint32_t *index, long count, const float *rows, long width, const float *y, float *products);

// z = x - y, sums += z; returns the sum of z². z may be x or y.
float orrery_difference_portable(const float *x, const float *y, float *z, float *sums, long count);

#if defined(__x86_64__)
void orrery_group_maxima_avx512(float *x, const float *bias, long count, long groups, float *maxima);
float orrery_kth_largest_avx512(const float *x, long count, long k, int loose);
long orrery_gather_avx512(
    const float *x, const float *floors, float floor, long count, uint32_t *places, float *numbers);
void orrery_row_products_avx512(
    const uint32_t *index, long count, const float *rows, long width, const float *y, float *products);
float orrery_difference_avx512(const float *x, const float *y, float *z, float *sums, long count);
#endif

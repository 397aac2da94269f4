// Signatures of sets: minima of many hash functions.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Lowers the minima of a signature to those of the elements of a set, given as 64-bit hashes:
//
//   minima[i] = min(minima[i], h_i(x)) for every element x, i below `lanes`
//   h_i(x) = ((m ^ m >> 15) + high(x)) * third[i],  m = (low(x) ^ first[i]) * second[i]        (modulo 2^32)
//
// keys[3][lanes] holds first, second and third; the latter two are odd. lanes is a multiple of 16. An element that
// comes twice changes nothing.
void orrery_minhash_portable(
    const uint64_t *elements, long count, const uint32_t *keys, uint32_t *minima, long lanes);

#if defined(__x86_64__)
void orrery_minhash_avx2(const uint64_t *elements, long count, const uint32_t *keys, uint32_t *minima, long lanes);
void orrery_minhash_avx512(const uint64_t *elements, long count, const uint32_t *keys, uint32_t *minima, long lanes);
#endif

// One step of subspace iteration on the features of a sparse matrix A[rows, features]: out += A^T (A in), 48 columns at
// a time. Row r has the entries from starts[r] to starts[r + 1]: values[e] in column columns[e]. in and out are
// [features, 48]; they must not overlap. Every column index must be below the features of in and out.
void orrery_sparse_gram_portable(
    const int64_t *starts, const uint32_t *columns, const float *values, long rows, const float *in, float *out);

// y[0..width) = the sum of weights[i] * rows[index[i]][0..width), rows of `width` numbers one after the other.
void orrery_weighted_rows_portable(
    const uint32_t *index, const float *weights, long count, const float *rows, long width, float *y);

#if defined(__x86_64__)
void orrery_sparse_gram_avx512(
    const int64_t *starts, const uint32_t *columns, const float *values, long rows, const float *in, float *out);
void orrery_weighted_rows_avx512(
    const uint32_t *index, const float *weights, long count, const float *rows, long width, float *y);
#endif

// Matrix products C = A B or C += A B in float32 and float64, from the textbook loop to the limit of the machine.
//
// Shapes: A [rows, inner], B [inner, columns], C [rows, columns]. A and B take any strides, so that a transpose costs
// nothing to say; C is row-major. C overlaps neither A nor B.
//
// An element of C is the sum over blocks of 384 terms, each block added up in order, the blocks added in order. This
// holds for all upper rungs, for any number of rows, with B packed beforehand or not, however the work is cut: a row
// has the same bits alone and among others, on one thread and on many. AVX2 and AVX-512, which multiply and add with
// one rounding, agree with each other to the bit; the portable set rounds twice where the processor cannot do so.
#pragma once

#include <stddef.h>

// Terms of one block of a sum. It depends on nothing, since the bits depend on it.
enum { ORRERY_PRODUCT_DEPTH = 384 };

typedef struct {
    long rows, columns, inner;
    const float *a;
    long a_row, a_column; // A(i, p) is a[i * a_row + p * a_column]
    const float *b;
    long b_row, b_column; // B(p, j) is b[p * b_row + j * b_column]
    const float *panels;  // B as orrery_sgemm_pack_... wrote it; where it is given, b is not read. Or null
    float *c;
    long c_row;           // C(i, j) is c[i * c_row + j]
    int accumulate;       // C += A B rather than C = A B
} orrery_sgemm;

typedef struct {
    long rows, columns, inner;
    const double *a;
    long a_row, a_column;
    const double *b;
    long b_row, b_column;
    const double *panels;
    double *c;
    long c_row;
    int accumulate;
} orrery_dgemm;

// The lower rungs. They compute the whole product; `panels` is not looked at.
void orrery_sgemm_naive(const orrery_sgemm *product);
void orrery_dgemm_naive(const orrery_dgemm *product);
void orrery_sgemm_loop_order(const orrery_sgemm *product);
void orrery_sgemm_blocked(const orrery_sgemm *product);

// The upper rungs, one set a group of instructions. A product is cut into chunks, which depend on its sizes alone and
// which any thread may compute in any order:
//   for (long chunk = 0; chunk < orrery_sgemm_chunks_avx512(&product); chunk++) orrery_sgemm_avx512(&product, chunk);
// A chunk returns 0, or -1 if there was no memory for its packed block of B: then C is not complete.
//
// `pack` writes B, in the layout of its own set, to inner * columns elements, columns being rounded up to a multiple
// of `lanes`, aligned to 64 bytes. It too is done in chunks, of which there are `pack_chunks`.
#define ORRERY_PRODUCT_SET(type, element, path) \
    long orrery_##type##_chunks_##path(const orrery_##type *product); \
    int orrery_##type##_##path(const orrery_##type *product, long chunk); \
    long orrery_##type##_lanes_##path(void); \
    long orrery_##type##_pack_chunks_##path(long columns); \
    void orrery_##type##_pack_##path(const orrery_##type *product, long chunk, element *panels);

ORRERY_PRODUCT_SET(sgemm, float, portable)
ORRERY_PRODUCT_SET(dgemm, double, portable)
#if defined(__x86_64__)
ORRERY_PRODUCT_SET(sgemm, float, avx2)
ORRERY_PRODUCT_SET(dgemm, double, avx2)
ORRERY_PRODUCT_SET(sgemm, float, avx512)
ORRERY_PRODUCT_SET(dgemm, double, avx512)
#endif

// Centers, codes and bits of vectors: what indexes that compress vectors spend their time on.
//
// Centers are in panels: blocks of 64 centers, [block][dimension][64], the last block filled up. A bias of +infinity
// keeps the filling from being nearest. Every function has three paths: portable, AVX2, AVX-512; who calls one
// asks for the features first.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Centers of one block of a panel.
#define ORRERY_PANEL 64

// Instructions that only these kernels ask for, as bits.
#define ORRERY_CODES_VPOPCNT 1u
#define ORRERY_CODES_VBMI 2u

// Which of them this processor has.
uint32_t orrery_codes_features(void);

#define ORRERY_CODES_PATH(path)                                                                                        \
    /* out[c] = bias[c] + factor * sum_j x[j] panel[c][j], for blocks * 64 centers. */                                 \
    void orrery_codes_tables_##path(const float *x, ptrdiff_t dimension, const float *panel, const float *bias,        \
                                    float factor, ptrdiff_t blocks, float *out);                                       \
    /* For each point the first center c of the least bias[c] + factor * x . c, and that number (least may be NULL).   \
       Points lie `stride` floats apart. */                                                                            \
    void orrery_codes_nearest_##path(const float *points, ptrdiff_t stride, ptrdiff_t dimension, ptrdiff_t count,      \
                                     const float *panel, const float *bias, float factor, ptrdiff_t blocks,            \
                                     int32_t *index, float *least);                                                    \
    /* out[i] = start + bias[i] + sum_m tables[256 m + codes[i * parts + m]]; bias may be NULL. */                     \
    void orrery_codes_scan_##path(const float *tables, const uint8_t *codes, const float *bias, float start,           \
                                  ptrdiff_t count, ptrdiff_t parts, float *out);                                       \
    /* out[i] = bits in which x and row i differ, at most 65535; a row has `words` words. */                           \
    void orrery_codes_hamming_##path(const uint64_t *x, const uint64_t *rows, ptrdiff_t words, ptrdiff_t count,        \
                                     uint16_t *out);                                                                   \
    /* Writes the positions of values that are at most `limit`, in order, and returns how many. */                     \
    ptrdiff_t orrery_codes_below_##path(const float *values, ptrdiff_t count, float limit, int32_t *positions);

ORRERY_CODES_PATH(portable)
#if defined(__x86_64__)
ORRERY_CODES_PATH(avx2)
ORRERY_CODES_PATH(avx512)
// With VPOPCNTDQ; as orrery_codes_hamming_avx512.
void orrery_codes_hamming_vpopcnt(const uint64_t *x, const uint64_t *rows, ptrdiff_t words, ptrdiff_t count,
                                  uint16_t *out);
#endif

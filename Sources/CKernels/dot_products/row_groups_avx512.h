// The loops around a group of 512 weights, whatever their format: a lane a run of 32.
//
// A format brings one function, which turns a group into eight vectors of unsigned bytes, lane l of vector c being word
// c (weights 4c ..< 4c + 4) of run l, and the sixteen scales. Eight vpdpbusd then leave the sum of every run in a lane
// of its own, ready to meet its scale: one multiplication for 32 weights and no adding across lanes.
//
//      weight = scale · (q - 2^offset_bits) - minimum        q an unsigned byte
//      lane  += scale · dx · (dot - 2^offset_bits · sum of x) - minimum · dx · sum of x
//
// Each element of y has its own sixteen lanes, to which groups 0, 1, 2, ... are added in turn; the lanes are added at
// the end. One row of x and many rows of x do that in the same order and give the same bits.
#pragma once

#include "quantized_rows.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

typedef struct {
    __m512i q[8];
    __m512 scale;
    __m512 minimum;
} weight_group;

typedef struct {
    void (*decode)(const uint8_t *bytes, weight_group *group);
    int group_bytes;
    int offset_bits; // 0 for no offset
    int has_minimum;
} row_kind;

enum { TILE_ROWS = 8, TILE_ACTIVATIONS = 32, TILE_GROUPS = 4, LARGEST_GROUP = 16 * Q8_0_BYTES, BYTES_AHEAD = 8192 };

// The weights of group g; the last one of a row may be short and is then completed with zeros in `copy`.
ORRERY_INLINE const uint8_t *group_at(row_kind kind, const uint8_t *row, long g, long row_bytes, uint8_t *copy) {
    const uint8_t *bytes = row + g * kind.group_bytes;
    long left = row_bytes - g * kind.group_bytes;
    if (left >= kind.group_bytes) return bytes;
    memset(copy, 0, (size_t)kind.group_bytes);
    memcpy(copy, bytes, (size_t)left);
    return copy;
}

// Where the integer sums of a group start: what the offset of its weights will have added too much.
ORRERY_INLINE __m512i first_sums(row_kind kind, const activation_group *x) {
    if (!kind.offset_bits) return _mm512_setzero_si512();
    __m512i added = _mm512_slli_epi32(_mm512_load_si512(x->sum), (unsigned)kind.offset_bits);
    return _mm512_sub_epi32(_mm512_setzero_si512(), added);
}

ORRERY_INLINE __m512 add_scaled(
    row_kind kind, const weight_group *w, const activation_group *x, __m512i sums, __m512 lanes) {
    __m512 dx = _mm512_load_ps(x->scale);
    lanes = _mm512_fmadd_ps(_mm512_mul_ps(w->scale, dx), _mm512_cvtepi32_ps(sums), lanes);
    if (!kind.has_minimum) return lanes;
    return _mm512_fnmadd_ps(_mm512_mul_ps(w->minimum, dx), _mm512_cvtepi32_ps(_mm512_load_si512(x->sum)), lanes);
}

// One row of x: every weight is used once, so a group goes from memory to the sums without leaving the registers. The
// processor's own prefetching stops at the end of a page; asking for what comes 8 KiB later keeps memory busy.
ORRERY_INLINE void multiply_by_one(
    row_kind kind, const uint8_t *row, long row_bytes, long groups, const activation_group *x, float *y) {
    uint8_t copy[LARGEST_GROUP];
    __m512 lanes = _mm512_setzero_ps();
    for (long g = 0; g < groups; g++) {
        weight_group w;
        const char *ahead = (const char *)row + g * kind.group_bytes + BYTES_AHEAD;
        for (int line = 0; line < kind.group_bytes; line += 64) _mm_prefetch(ahead + line, _MM_HINT_T0);
        kind.decode(group_at(kind, row, g, row_bytes, copy), &w);
        __m512i even = first_sums(kind, x + g), odd = _mm512_setzero_si512();
        ORRERY_UNROLL for (int c = 0; c < 8; c += 2) {
            even = _mm512_dpbusd_epi32(even, w.q[c], _mm512_load_si512(x[g].q + 64 * c));
            odd = _mm512_dpbusd_epi32(odd, w.q[c + 1], _mm512_load_si512(x[g].q + 64 * c + 64));
        }
        lanes = add_scaled(kind, &w, x + g, _mm512_add_epi32(even, odd), lanes);
    }
    *y = _mm512_reduce_add_ps(lanes);
}

// Four rows of weights by two of x: six loads for eight instructions.
ORRERY_INLINE void multiply_four_by_two(
    row_kind kind, weight_group w[4][TILE_GROUPS], long groups, const activation_group *x0, const activation_group *x1,
    long m, __m512 *lanes0, __m512 *lanes1) {
    __m512 sum0[4], sum1[4];
    ORRERY_UNROLL for (int r = 0; r < 4; r++) {
        sum0[r] = lanes0[r];
        sum1[r] = lanes1[r];
    }
    for (long g = 0; g < groups; g++, x0 += m, x1 += m) {
        __m512i dot0[4], dot1[4];
        __m512i first0 = first_sums(kind, x0), first1 = first_sums(kind, x1);
        ORRERY_UNROLL for (int r = 0; r < 4; r++) {
            dot0[r] = first0;
            dot1[r] = first1;
        }
        ORRERY_UNROLL for (int c = 0; c < 8; c++) {
            __m512i q0 = _mm512_load_si512(x0->q + 64 * c), q1 = _mm512_load_si512(x1->q + 64 * c);
            ORRERY_UNROLL for (int r = 0; r < 4; r++) {
                dot0[r] = _mm512_dpbusd_epi32(dot0[r], w[r][g].q[c], q0);
                dot1[r] = _mm512_dpbusd_epi32(dot1[r], w[r][g].q[c], q1);
            }
        }
        ORRERY_UNROLL for (int r = 0; r < 4; r++) {
            sum0[r] = add_scaled(kind, &w[r][g], x0, dot0[r], sum0[r]);
            sum1[r] = add_scaled(kind, &w[r][g], x1, dot1[r], sum1[r]);
        }
    }
    ORRERY_UNROLL for (int r = 0; r < 4; r++) {
        lanes0[r] = sum0[r];
        lanes1[r] = sum1[r];
    }
}

// Up to 8 rows of weights by up to 32 of x, four groups at a time: those weights are decoded once, into the L1 cache.
// Rows that the tile lacks are stood in for by its last one, whose extra results are dropped.
ORRERY_INLINE void multiply_tile(
    row_kind kind, const uint8_t *w, long row_bytes, long rows, long groups, const activation_group *x, long m,
    long count, float *y, long stride) {
    uint8_t copy[LARGEST_GROUP];
    weight_group decoded[TILE_ROWS][TILE_GROUPS];
    __m512 lanes[TILE_ACTIVATIONS + 1][TILE_ROWS]; // one more for the partner of an odd row
    for (long i = 0; i <= count; i++) {
        ORRERY_UNROLL for (int r = 0; r < TILE_ROWS; r++) lanes[i][r] = _mm512_setzero_ps();
    }
    long used = rows <= 4 ? 4 : TILE_ROWS;
    for (long first = 0; first < groups; first += TILE_GROUPS) {
        long depth = groups - first < TILE_GROUPS ? groups - first : TILE_GROUPS;
        for (long r = 0; r < used; r++) {
            const uint8_t *row = w + (r < rows ? r : rows - 1) * row_bytes;
            for (long g = 0; g < depth; g++) {
                kind.decode(group_at(kind, row, first + g, row_bytes, copy), &decoded[r][g]);
            }
        }
        for (long i = 0; i < count; i += 2) {
            const activation_group *x0 = x + first * m + i, *x1 = i + 1 < count ? x0 + 1 : x0;
            for (long r = 0; r < used; r += 4) {
                multiply_four_by_two(kind, decoded + r, depth, x0, x1, m, lanes[i] + r, lanes[i + 1] + r);
            }
        }
    }
    for (long i = 0; i < count; i++) {
        for (long r = 0; r < rows; r++) y[i * stride + r] = _mm512_reduce_add_ps(lanes[i][r]);
    }
}

ORRERY_INLINE void multiply_rows(
    row_kind kind, const uint8_t *w, long rows, long k, const activation_group *x, long m, float *y, long stride) {
    long groups = (k + GROUP - 1) / GROUP;
    long row_bytes = k / 32 * (kind.group_bytes / 16);
    if (m == 1) {
        for (long r = 0; r < rows; r++) multiply_by_one(kind, w + r * row_bytes, row_bytes, groups, x, y + r);
        return;
    }
    for (long r = 0; r < rows; r += TILE_ROWS) {
        long height = rows - r < TILE_ROWS ? rows - r : TILE_ROWS;
        for (long i = 0; i < m; i += TILE_ACTIVATIONS) {
            long count = m - i < TILE_ACTIVATIONS ? m - i : TILE_ACTIVATIONS;
            multiply_tile(
                kind, w + r * row_bytes, row_bytes, height, groups, x + i, m, count, y + i * stride + r, stride);
        }
    }
}

// MARK: Parts of decoding

ORRERY_INLINE __m128i sixteen_bytes(const uint8_t *from) { return _mm_loadu_si128((const __m128i *)from); }

ORRERY_INLINE __m256i thirty_two_bytes(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *)from); }

// Words of four vectors, 128-bit quarter by quarter: out[c] has word c of a, b, c, d in each quarter.
ORRERY_INLINE void transpose_quarters(__m512i a, __m512i b, __m512i c, __m512i d, __m512i out[4]) {
    __m512i ab0 = _mm512_unpacklo_epi32(a, b), ab2 = _mm512_unpackhi_epi32(a, b);
    __m512i cd0 = _mm512_unpacklo_epi32(c, d), cd2 = _mm512_unpackhi_epi32(c, d);
    out[0] = _mm512_unpacklo_epi64(ab0, cd0);
    out[1] = _mm512_unpackhi_epi64(ab0, cd0);
    out[2] = _mm512_unpacklo_epi64(ab2, cd2);
    out[3] = _mm512_unpackhi_epi64(ab2, cd2);
}

// Keeps a number in a general register, where the processor has time left; the compiler would gather it in a vector.
#define IN_GENERAL_REGISTER(number) __asm__("" : "+r"(number))

ORRERY_INLINE uint64_t four_halves(const uint8_t *from, const int distance) {
    uint16_t halves[4];
    ORRERY_UNROLL for (int i = 0; i < 4; i++) memcpy(halves + i, from + i * distance, 2);
    uint32_t front = halves[0] | (uint32_t)halves[1] << 16, back = halves[2] | (uint32_t)halves[3] << 16;
    uint64_t all = front | (uint64_t)back << 32;
    IN_GENERAL_REGISTER(all);
    return all;
}

// Sixteen f16 that stand `distance` bytes apart.
ORRERY_INLINE __m512 spread_halves(const uint8_t *from, const int distance) {
    uint64_t a = four_halves(from, distance), b = four_halves(from + 4 * distance, distance);
    uint64_t c = four_halves(from + 8 * distance, distance), d = four_halves(from + 12 * distance, distance);
    return _mm512_cvtph_ps(_mm256_set_epi64x((long long)d, (long long)c, (long long)b, (long long)a));
}

ORRERY_END
#endif

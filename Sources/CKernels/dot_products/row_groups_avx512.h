// The loops around a group of 512 weights, whatever their format: a lane a run of 32.
//
// A format brings one function, which turns a group, given as two halves of 256 weights, into eight vectors of unsigned
// bytes, lane l of vector c being word c (weights 4c ..< 4c + 4) of run l, and the sixteen scales. Eight vpdpbusd then
// leave the sum of every run in a lane of its own, ready to meet its scale: one multiplication for 32 weights and no
// adding across lanes.
//
//      weight = scale · (q - 2^offset_bits) - minimum        q an unsigned byte
//      lane  += scale · dx · (dot - 2^offset_bits · sum of x) - minimum · dx · sum of x
//
// A format whose runs have a scale for each half of them adds the front half, words 0...3, and then the back one.
//
// Each element of y has its own sixteen lanes, to which groups 0, 1, 2, ... are added in turn; the lanes are added at
// the end. Few rows of x and many rows of x do that in the same order and give the same bits.
#pragma once

#include "quantized_rows.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

typedef struct {
    __m512i q[8];
    __m512 scale;
    __m512 back_scale; // of the second halves of the runs, where they have one of their own
    __m512 minimum;
} weight_group;

typedef struct {
    void (*decode)(const uint8_t *front, const uint8_t *back, weight_group *group);
    int half_bytes;  // of 256 weights
    int offset_bits; // 0 for no offset
    int has_minimum;
    int has_halves;  // a scale for each half of a run
} row_kind;

enum { FEW = 7, TILE_ROWS = 8, TILE_ACTIVATIONS = 32, TILE_GROUPS = 4 };
enum { LARGEST_HALF = 8 * Q8_0_BYTES, BYTES_AHEAD = 8192 };

// Weights whose scales are zero: they add nothing.
static const uint8_t no_weights[LARGEST_HALF];

typedef struct {
    const uint8_t *front, *back;
} half_groups;

// The weights of group g. The last one of a row may be a half, and for blocks of 32 less: it is then completed in
// `copy`.
ORRERY_INLINE half_groups group_at(row_kind kind, const uint8_t *row, long g, long row_bytes, uint8_t *copy) {
    const uint8_t *bytes = row + g * 2 * kind.half_bytes;
    long left = row_bytes - g * 2 * kind.half_bytes;
    if (left >= 2 * kind.half_bytes) return (half_groups){bytes, bytes + kind.half_bytes};
    if (left == kind.half_bytes) return (half_groups){bytes, no_weights};
    memset(copy, 0, 2 * (size_t)kind.half_bytes);
    memcpy(copy, bytes, (size_t)left);
    return (half_groups){copy, copy + kind.half_bytes};
}

// How many times the sums of a group meet scales.
ORRERY_INLINE int parts_of(row_kind kind) { return kind.has_halves ? 2 : 1; }

// Where the integer sums of a part start: what the offset of its weights will have added too much.
ORRERY_INLINE __m512i first_sums(row_kind kind, const activation_group *x, int part) {
    if (!kind.offset_bits) return _mm512_setzero_si512();
    __m512i sums = _mm512_load_si512(x->sum);
    if (kind.has_halves) {
        __m512i front = _mm512_load_si512(x->front_sum);
        sums = part == 0 ? front : _mm512_sub_epi32(sums, front);
    }
    return _mm512_sub_epi32(_mm512_setzero_si512(), _mm512_slli_epi32(sums, (unsigned)kind.offset_bits));
}

ORRERY_INLINE __m512 add_scaled(
    row_kind kind, const weight_group *w, const activation_group *x, int part, __m512i sums, __m512 lanes) {
    __m512 dx = _mm512_load_ps(x->scale);
    __m512 scale = part == 0 ? w->scale : w->back_scale;
    lanes = _mm512_fmadd_ps(_mm512_mul_ps(scale, dx), _mm512_cvtepi32_ps(sums), lanes);
    if (!kind.has_minimum) return lanes;
    return _mm512_fnmadd_ps(_mm512_mul_ps(w->minimum, dx), _mm512_cvtepi32_ps(_mm512_load_si512(x->sum)), lanes);
}

ORRERY_INLINE __m512i dot_half(const weight_group *w, const activation_group *x, int half, __m512i sums) {
    ORRERY_UNROLL for (int c = 4 * half; c < 4 * half + 4; c++) {
        sums = _mm512_dpbusd_epi32(sums, w->q[c], _mm512_load_si512(x->q + 64 * c));
    }
    return sums;
}

// What a group adds to the lanes of one row of x.
ORRERY_INLINE __m512 add_group(row_kind kind, const weight_group *w, const activation_group *x, __m512 lanes) {
    __m512i front = dot_half(w, x, 0, first_sums(kind, x, 0));
    if (kind.has_halves) {
        __m512i back = dot_half(w, x, 1, first_sums(kind, x, 1));
        return add_scaled(kind, w, x, 1, back, add_scaled(kind, w, x, 0, front, lanes));
    }
    __m512i back = dot_half(w, x, 1, _mm512_setzero_si512());
    return add_scaled(kind, w, x, 0, _mm512_add_epi32(front, back), lanes);
}

// Asks for the lines up to `end`, about a group, each once: a line asked for twice holds up the others. Weights are
// read once a token, so that they need not stay.
ORRERY_INLINE const char *prefetch_group(row_kind kind, const char *line, const char *end) {
    ORRERY_UNROLL for (int i = 0; i < 2 * kind.half_bytes / 64; i++, line += 64) _mm_prefetch(line, _MM_HINT_NTA);
    if (line >= end) return line;
    _mm_prefetch(line, _MM_HINT_NTA);
    return line + 64;
}

// Up to seven rows of x: a group of weights goes from memory to the sums of all of them without leaving the registers.
// The processor's own prefetching stops at the end of a page; asking for what comes 8 KiB later keeps memory busy.
ORRERY_INLINE void add_groups(
    row_kind kind, const uint8_t *row, long row_bytes, long groups, const activation_group *x, const int m,
    __m512 lanes[FEW]) {
    uint8_t copy[2 * LARGEST_HALF];
    const char *line = (const char *)(((uintptr_t)row + BYTES_AHEAD) & ~(uintptr_t)63);
    for (long g = 0; g < groups; g++, x += m) {
        weight_group w;
        line = prefetch_group(kind, line, (const char *)row + (g + 1) * 2 * kind.half_bytes + BYTES_AHEAD);
        half_groups bytes = group_at(kind, row, g, row_bytes, copy);
        kind.decode(bytes.front, bytes.back, &w);
        ORRERY_UNROLL for (int i = 0; i < m; i++) lanes[i] = add_group(kind, &w, x + i, lanes[i]);
    }
    const char *end = (const char *)row + row_bytes + BYTES_AHEAD; // of half a group that follows
    for (; line < end; line += 64) _mm_prefetch(line, _MM_HINT_NTA);
}

ORRERY_INLINE void multiply_by_few(
    row_kind kind, const uint8_t *row, long row_bytes, long groups, const activation_group *x, const int m, float *y,
    long stride) {
    __m512 lanes[FEW];
    ORRERY_UNROLL for (int i = 0; i < m; i++) lanes[i] = _mm512_setzero_ps();
    add_groups(kind, row, row_bytes, groups, x, m, lanes);
    ORRERY_UNROLL for (int i = 0; i < m; i++) y[i * stride] = _mm512_reduce_add_ps(lanes[i]);
}

ORRERY_INLINE __m512 back_lanes(__m512 v) { return _mm512_shuffle_f32x4(v, v, 0x0e); }

// Adds lanes 0...7 of a group to the lanes of one row, and lanes 8...15 to lanes 0...7 of the next row's.
ORRERY_INLINE void add_to_two(
    row_kind kind, const weight_group *w, const activation_group *x, int part, __m512i sums, __m512 *lanes,
    __m512 *next) {
    const __mmask16 front = 0x00ff;
    __m512 dx = _mm512_load_ps(x->scale), dots = _mm512_cvtepi32_ps(sums);
    __m512 scale = _mm512_mul_ps(part == 0 ? w->scale : w->back_scale, dx);
    *lanes = _mm512_mask3_fmadd_ps(scale, dots, *lanes, front);
    *next = _mm512_mask3_fmadd_ps(back_lanes(scale), back_lanes(dots), *next, front);
    if (!kind.has_minimum) return;
    __m512 minimum = _mm512_mul_ps(w->minimum, dx), added = _mm512_cvtepi32_ps(_mm512_load_si512(x->sum));
    *lanes = _mm512_mask3_fnmadd_ps(minimum, added, *lanes, front);
    *next = _mm512_mask3_fnmadd_ps(back_lanes(minimum), back_lanes(added), *next, front);
}

// Two rows that end with half a group each, which make a whole one: the activations of that half are there twice. The
// numbers are those of each row alone.
ORRERY_INLINE void multiply_two_by_few(
    row_kind kind, const uint8_t *row, long row_bytes, long groups, const activation_group *x, const int m, float *y,
    long stride) {
    __m512 lanes[FEW], next[FEW];
    ORRERY_UNROLL for (int i = 0; i < m; i++) lanes[i] = next[i] = _mm512_setzero_ps();
    add_groups(kind, row, row_bytes, groups - 1, x, m, lanes);
    add_groups(kind, row + row_bytes, row_bytes, groups - 1, x, m, next);
    weight_group w;
    kind.decode(row + row_bytes - kind.half_bytes, row + 2 * row_bytes - kind.half_bytes, &w);
    x += (groups - 1) * m;
    ORRERY_UNROLL for (int i = 0; i < m; i++) {
        __m512i front = dot_half(&w, x + i, 0, first_sums(kind, x + i, 0));
        __m512i back = dot_half(
            &w, x + i, 1, kind.has_halves ? first_sums(kind, x + i, 1) : _mm512_setzero_si512());
        if (kind.has_halves) {
            add_to_two(kind, &w, x + i, 0, front, lanes + i, next + i);
            add_to_two(kind, &w, x + i, 1, back, lanes + i, next + i);
        } else {
            add_to_two(kind, &w, x + i, 0, _mm512_add_epi32(front, back), lanes + i, next + i);
        }
        y[i * stride] = _mm512_reduce_add_ps(lanes[i]);
        y[i * stride + 1] = _mm512_reduce_add_ps(next[i]);
    }
}

ORRERY_INLINE void multiply_rows_by_few(
    row_kind kind, const uint8_t *w, long rows, long row_bytes, long groups, const activation_group *x, const int m,
    float *y, long stride) {
    long r = 0;
    if (row_bytes % (2 * kind.half_bytes) == kind.half_bytes) {
        for (; r + 1 < rows; r += 2) {
            multiply_two_by_few(kind, w + r * row_bytes, row_bytes, groups, x, m, y + r, stride);
        }
    }
    for (; r < rows; r++) multiply_by_few(kind, w + r * row_bytes, row_bytes, groups, x, m, y + r, stride);
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
    const int parts = parts_of(kind);
    for (long g = 0; g < groups; g++, x0 += m, x1 += m) {
        ORRERY_UNROLL for (int part = 0; part < parts; part++) {
            __m512i dot0[4], dot1[4];
            __m512i first0 = first_sums(kind, x0, part), first1 = first_sums(kind, x1, part);
            ORRERY_UNROLL for (int r = 0; r < 4; r++) {
                dot0[r] = first0;
                dot1[r] = first1;
            }
            ORRERY_UNROLL for (int c = 8 / parts * part; c < 8 / parts * (part + 1); c++) {
                __m512i q0 = _mm512_load_si512(x0->q + 64 * c), q1 = _mm512_load_si512(x1->q + 64 * c);
                ORRERY_UNROLL for (int r = 0; r < 4; r++) {
                    dot0[r] = _mm512_dpbusd_epi32(dot0[r], w[r][g].q[c], q0);
                    dot1[r] = _mm512_dpbusd_epi32(dot1[r], w[r][g].q[c], q1);
                }
            }
            ORRERY_UNROLL for (int r = 0; r < 4; r++) {
                sum0[r] = add_scaled(kind, &w[r][g], x0, part, dot0[r], sum0[r]);
                sum1[r] = add_scaled(kind, &w[r][g], x1, part, dot1[r], sum1[r]);
            }
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
    uint8_t copy[2 * LARGEST_HALF];
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
                half_groups bytes = group_at(kind, row, first + g, row_bytes, copy);
                kind.decode(bytes.front, bytes.back, &decoded[r][g]);
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
    long row_bytes = kind.half_bytes * (k / 32) / 8;
    if (m <= FEW) {
        switch (m) { // the number of rows is known where the loops are unrolled
        case 1: multiply_rows_by_few(kind, w, rows, row_bytes, groups, x, 1, y, stride); break;
        case 2: multiply_rows_by_few(kind, w, rows, row_bytes, groups, x, 2, y, stride); break;
        case 3: multiply_rows_by_few(kind, w, rows, row_bytes, groups, x, 3, y, stride); break;
        case 4: multiply_rows_by_few(kind, w, rows, row_bytes, groups, x, 4, y, stride); break;
        case 5: multiply_rows_by_few(kind, w, rows, row_bytes, groups, x, 5, y, stride); break;
        case 6: multiply_rows_by_few(kind, w, rows, row_bytes, groups, x, 6, y, stride); break;
        case 7: multiply_rows_by_few(kind, w, rows, row_bytes, groups, x, 7, y, stride); break;
        }
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

// Eight f16 and eight more, `distance` bytes apart.
ORRERY_INLINE __m512 spread_halves(const uint8_t *front, const uint8_t *back, const int distance) {
    uint64_t a = four_halves(front, distance), b = four_halves(front + 4 * distance, distance);
    uint64_t c = four_halves(back, distance), d = four_halves(back + 4 * distance, distance);
    return _mm512_cvtph_ps(_mm256_set_epi64x((long long)d, (long long)c, (long long)b, (long long)a));
}

ORRERY_END
#endif

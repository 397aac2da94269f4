// int8 by vpdpbusd: each 32-bit lane adds four products, four times the rate of f32.
//
// The instruction multiplies unsigned by signed bytes, so A is packed with its sign bit flipped, which adds 128 to each
// element; what that adds to C, 128 times the sum of B's column, stands negated in the header of each panel of B and is
// where the sums start: sum (a + 128) b - 128 sum b = sum a b. All of it modulo 2^32, so nothing on the way can
// overflow.
#include "dot_kernels.h"
#include "words_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

enum { ROWS = 6, VECTORS = 4, COLUMNS = 16 * VECTORS };

static void pack_a(const void *a, long stride, long rows, long k, uint32_t *panel) {
    const __m512i flip = _mm512_set1_epi8(-128);
    const int8_t *corner = a;
    for (long p = 0; p < k; p += 64) {
        long left = k - p < 64 ? k - p : 64;
        __mmask64 inside = ~0ull >> (64 - left);
        __m512i words[16];
        ORRERY_UNROLL for (int i = 0; i < 16; i++) {
            words[i] = i < rows ? _mm512_maskz_loadu_epi8(inside, corner + i * stride + p) : _mm512_setzero_si512();
            words[i] = _mm512_xor_si512(words[i], flip);
        }
        transpose_words(words);
        ORRERY_UNROLL for (int i = 0; i < 16; i++) {
            if (4 * i < left) _mm512_mask_storeu_epi32(panel + (p / 4 + i) * ROWS, (1 << ROWS) - 1, words[i]);
        }
    }
}

// Four rows of 64 bytes become four vectors of 16 words: bytes by pairs of rows, pairs by fours, then the 128-bit
// quarters into the order of the columns.
ORRERY_INLINE void interleave_rows(__m512i r[4]) {
    __m512i low01 = _mm512_unpacklo_epi8(r[0], r[1]), high01 = _mm512_unpackhi_epi8(r[0], r[1]);
    __m512i low23 = _mm512_unpacklo_epi8(r[2], r[3]), high23 = _mm512_unpackhi_epi8(r[2], r[3]);
    __m512i q0 = _mm512_unpacklo_epi16(low01, low23), q1 = _mm512_unpackhi_epi16(low01, low23);
    __m512i q2 = _mm512_unpacklo_epi16(high01, high23), q3 = _mm512_unpackhi_epi16(high01, high23);
    __m512i a = _mm512_shuffle_i32x4(q0, q1, 0x88), b = _mm512_shuffle_i32x4(q2, q3, 0x88); // quarters 0 and 2
    __m512i c = _mm512_shuffle_i32x4(q0, q1, 0xdd), d = _mm512_shuffle_i32x4(q2, q3, 0xdd); // quarters 1 and 3
    r[0] = _mm512_shuffle_i32x4(a, b, 0x88);
    r[1] = _mm512_shuffle_i32x4(c, d, 0x88);
    r[2] = _mm512_shuffle_i32x4(a, b, 0xdd);
    r[3] = _mm512_shuffle_i32x4(c, d, 0xdd);
}

static void pack_b(const void *b, long stride, long k, long columns, uint32_t *panel) {
    const int8_t *corner = b;
    const __mmask64 inside = ~0ull >> (64 - columns);
    const __m512i ones = _mm512_set1_epi8(1);
    __m512i sum[VECTORS];
    ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) sum[v] = _mm512_setzero_si512();
    uint32_t *words = panel + COLUMNS;
    for (long p = 0; p < k; p += 4) {
        __m512i rows[4];
        ORRERY_UNROLL for (int r = 0; r < 4; r++) {
            rows[r] = _mm512_maskz_loadu_epi8(p + r < k ? inside : 0, corner + (p + r) * stride);
        }
        interleave_rows(rows);
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            sum[v] = _mm512_dpbusd_epi32(sum[v], ones, rows[v]);
            _mm512_storeu_si512(words + 16 * v, rows[v]);
        }
        words += COLUMNS;
    }
    ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
        __m512i offset = _mm512_slli_epi32(sum[v], 7);
        _mm512_storeu_si512(panel + 16 * v, _mm512_sub_epi32(_mm512_setzero_si512(), offset));
    }
}

ORRERY_INLINE void tile_of(
    const int rows, long words, const uint32_t *a, const uint32_t *b, uint32_t *c, long stride, int accumulate) {
    __m512i sum[ROWS * VECTORS];
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            sum[i * VECTORS + v] = _mm512_loadu_si512(b + 16 * v);
            _mm_prefetch((const char *)(c + i * stride + 16 * v), _MM_HINT_T0);
        }
    }
    b += COLUMNS;
    _Pragma("clang loop unroll_count(4)") for (long p = 0; p < words; p++) {
        __m512i right[VECTORS];
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) right[v] = _mm512_loadu_si512(b + 16 * v);
        ORRERY_UNROLL for (int i = 0; i < rows; i++) {
            __m512i left = _mm512_set1_epi32((int)a[i]);
            ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
                sum[i * VECTORS + v] = _mm512_dpbusd_epi32(sum[i * VECTORS + v], left, right[v]);
            }
        }
        a += ROWS;
        b += COLUMNS;
    }
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int v = 0; v < VECTORS; v++) {
            uint32_t *place = c + i * stride + 16 * v;
            __m512i before = accumulate ? _mm512_loadu_si512(place) : _mm512_setzero_si512();
            _mm512_storeu_si512(place, _mm512_add_epi32(before, sum[i * VECTORS + v]));
        }
    }
}

static void tile(int rows, long words, const uint32_t *a, const uint32_t *b, void *c, long stride, int accumulate) {
    switch (rows) {
    case 1: tile_of(1, words, a, b, c, stride, accumulate); break;
    case 2: tile_of(2, words, a, b, c, stride, accumulate); break;
    case 3: tile_of(3, words, a, b, c, stride, accumulate); break;
    case 4: tile_of(4, words, a, b, c, stride, accumulate); break;
    case 5: tile_of(5, words, a, b, c, stride, accumulate); break;
    default: tile_of(ROWS, words, a, b, c, stride, accumulate);
    }
}

ORRERY_END

const orrery_dot_kernel orrery_int8_vnni = {
    .rows = ROWS, .columns = COLUMNS, .depth = 4, .header = COLUMNS, .element_bytes = 1,
    .pack_a = pack_a, .pack_b = pack_b, .tile = tile,
};
#endif

// Rows of NF4 weights by floats: the codebook is one register, and vpermps looks sixteen weights up in it.
//
// vpermps takes the low four bits of each 32-bit lane: a register of 64 bytes, 128 weights, gives eight vectors as its
// lanes are shifted by four bits each time. Vector s holds in lane j weight 8j + (s xor 1), the high nibble of a byte
// being the first. x is brought into that order once, so that no weight is moved at all. Lanes 0...7 belong to one
// scale and lanes 8...15 to the next: a sum of unscaled products for each 128 weights, then one multiplication.
#include "float_rows.h"

enum { GROUP = 128 };

long orrery_arranged_floats(orrery_float_format format, orrery_float_path path, long k) {
    int is_needed = format == ORRERY_FLOAT_NF4 && path == ORRERY_FLOAT_AVX512 && k % NF4_BLOCK == 0;
    return is_needed ? (k + GROUP - 1) / GROUP * GROUP : 0;
}

void orrery_arrange_floats(orrery_float_format format, const float *x, long k, float *arranged) {
    (void)format;
    for (long first = 0; first < k; first += GROUP, arranged += GROUP) {
        for (int s = 0; s < 8; s++) {
            for (int lane = 0; lane < 16; lane++) {
                long place = first + 8 * lane + (s ^ 1);
                arranged[16 * s + lane] = place < k ? x[place] : 0;
            }
        }
    }
}

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512

enum { FEW = 4, BYTES_AHEAD = 4096 };

// The scales of 128 weights, the first for eight lanes, the second for the others; one that the row lacks is zero.
ORRERY_INLINE __m512 two_scales(const float *scales, int has_second) {
    __m512 first = _mm512_set1_ps(scales[0]);
    return _mm512_mask_mov_ps(first, 0xff00, _mm512_set1_ps(has_second ? scales[1] : 0));
}

ORRERY_INLINE void multiply_row(
    const uint8_t *row, const float *scales, long k, const float *x, long x_stride, const int m, float *y,
    long y_stride) {
    const __m512 values = _mm512_loadu_ps(NF4_VALUES);
    __m512 sums[FEW];
    ORRERY_UNROLL for (int i = 0; i < m; i++) sums[i] = _mm512_setzero_ps();
    for (long first = 0; first < k; first += GROUP, row += GROUP / 2, scales += 2) {
        int is_whole = k - first >= GROUP;
        __m512i nibbles = is_whole ? _mm512_loadu_si512(row) : _mm512_maskz_loadu_epi32(0x00ff, row);
        __m512 scale = two_scales(scales, is_whole);
        _mm_prefetch((const char *)row + BYTES_AHEAD, _MM_HINT_NTA);
        __m512 even[FEW], odd[FEW];
        ORRERY_UNROLL for (int s = 0; s < 8; s += 2) {
            __m512 w = _mm512_permutexvar_ps(_mm512_srli_epi32(nibbles, (unsigned)(4 * s)), values);
            __m512 next = _mm512_permutexvar_ps(_mm512_srli_epi32(nibbles, (unsigned)(4 * s + 4)), values);
            ORRERY_UNROLL for (int i = 0; i < m; i++) {
                const float *from = x + i * x_stride + first + 16 * s;
                __m512 x0 = _mm512_load_ps(from), x1 = _mm512_load_ps(from + 16);
                even[i] = s == 0 ? _mm512_mul_ps(w, x0) : _mm512_fmadd_ps(w, x0, even[i]);
                odd[i] = s == 0 ? _mm512_mul_ps(next, x1) : _mm512_fmadd_ps(next, x1, odd[i]);
            }
        }
        ORRERY_UNROLL for (int i = 0; i < m; i++) {
            sums[i] = _mm512_fmadd_ps(scale, _mm512_add_ps(even[i], odd[i]), sums[i]);
        }
    }
    ORRERY_UNROLL for (int i = 0; i < m; i++) y[i * y_stride] = _mm512_reduce_add_ps(sums[i]);
}

// Rows that do not end with a block of 64 share scales with their neighbors: those go the plain way.
void orrery_nf4_rows_avx512(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride) {
    if (k % NF4_BLOCK) {
        orrery_nf4_rows_avx2(weights, scales, first, rows, k, x, x_stride, m, y, y_stride);
        return;
    }
    for (long r = first; r < first + rows; r++, y++) {
        const uint8_t *row = (const uint8_t *)weights + r * (k / 2);
        const float *row_scales = scales + r * (k / NF4_BLOCK);
        for (long i = 0; i < m; i += FEW) {
            const float *from = x + i * x_stride;
            float *to = y + i * y_stride;
            switch (m - i) { // the number of rows is known where the loops are unrolled
            case 1: multiply_row(row, row_scales, k, from, x_stride, 1, to, y_stride); break;
            case 2: multiply_row(row, row_scales, k, from, x_stride, 2, to, y_stride); break;
            case 3: multiply_row(row, row_scales, k, from, x_stride, 3, to, y_stride); break;
            default: multiply_row(row, row_scales, k, from, x_stride, FEW, to, y_stride);
            }
        }
    }
}

ORRERY_END
#endif

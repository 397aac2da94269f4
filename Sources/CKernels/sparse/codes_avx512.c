// Sparse codes, sixteen numbers at once. A row of features stays in the first cache while it is searched: maxima of
// its groups bound the kth largest from below, what reaches the bound is gathered, and of the few that are left the
// bound is found exactly.
#include "sparse_codes.h"

#include "../instruction_sets.h"
#include "../rows/lanes_avx512.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

void orrery_group_maxima_avx512(float *x, const float *bias, long count, long groups, float *maxima) {
    for (long group = 0; group < groups; group += 16) {
        __m512 largest = _mm512_setzero_ps();
        for (long i = group; i < count; i += groups) {
            __mmask16 lanes = lanes_from(i, count);
            __m512 number = _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, x + i), _mm512_maskz_loadu_ps(lanes, bias + i));
            _mm512_mask_storeu_ps(x + i, lanes, number);
            largest = _mm512_max_ps(number, largest);
        }
        _mm512_storeu_ps(maxima + group, largest);
    }
}

float orrery_kth_largest_avx512(const float *x, long count, long k, int loose) {
    uint32_t bound = 0;
    for (int bit = 30; bit >= loose; bit--) {
        __m512i next = _mm512_set1_epi32((int)(bound | 1u << bit));
        long reached = 0;
        for (long i = 0; i < count; i += 16) {
            // A masked lane is 0, which no bound of this loop is.
            __m512i bits = _mm512_maskz_loadu_epi32(lanes_from(i, count), x + i);
            reached += __builtin_popcount(_mm512_cmpge_epu32_mask(bits, next));
        }
        if (reached >= k) {
            bound |= 1u << bit;
            if (reached == k && loose > 0) break;
        }
    }
    return _mm_cvtss_f32(_mm_castsi128_ps(_mm_cvtsi32_si128((int)bound)));
}

long orrery_gather_avx512(
    const float *x, const float *floors, float floor, long count, uint32_t *places, float *numbers) {
    long found = 0;
    __m512 zero = _mm512_setzero_ps(), least = _mm512_set1_ps(floor);
    __m512i place = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m512i sixteen = _mm512_set1_epi32(16);
    for (long i = 0; i < count; i += 16, place = _mm512_add_epi32(place, sixteen)) {
        __mmask16 lanes = lanes_from(i, count);
        __m512 number = _mm512_maskz_loadu_ps(lanes, x + i);
        __mmask16 chosen;
        if (floors) {
            chosen = _mm512_mask_cmp_ps_mask(lanes, number, _mm512_maskz_loadu_ps(lanes, floors + i), _CMP_GT_OQ);
        } else {
            chosen = _mm512_mask_cmp_ps_mask(lanes, number, least, _CMP_GE_OQ);
            chosen = _mm512_mask_cmp_ps_mask(chosen, number, zero, _CMP_GT_OQ);
        }
        if (!chosen) continue;
        int many = __builtin_popcount(chosen);
        __mmask16 first = (__mmask16)((1u << many) - 1);
        // Packed in a register first: a store that packs takes a hundred times longer on some processors.
        _mm512_mask_storeu_epi32(places + found, first, _mm512_maskz_compress_epi32(chosen, place));
        _mm512_mask_storeu_ps(numbers + found, first, _mm512_maskz_compress_ps(chosen, number));
        found += many;
    }
    return found;
}

void orrery_row_products_avx512(
    const uint32_t *index, long count, const float *rows, long width, const float *y, float *products) {
    for (long i = 0; i < count; i++) {
        const float *row = rows + (size_t)index[i] * (size_t)width;
        __m512 sums[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
        long column = 0;
        for (; column + 64 <= width; column += 64) {
            ORRERY_UNROLL
            for (int v = 0; v < 4; v++) {
                __m512 number = _mm512_loadu_ps(y + column + 16 * v);
                sums[v] = _mm512_fmadd_ps(_mm512_loadu_ps(row + column + 16 * v), number, sums[v]);
            }
        }
        for (; column < width; column += 16) {
            __mmask16 lanes = lanes_from(column, width);
            __m512 number = _mm512_maskz_loadu_ps(lanes, y + column);
            sums[0] = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(lanes, row + column), number, sums[0]);
        }
        __m512 sum = _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3]));
        products[i] = _mm512_reduce_add_ps(sum);
    }
}

float orrery_difference_avx512(const float *x, const float *y, float *z, float *sums, long count) {
    __m512 squares = _mm512_setzero_ps();
    for (long i = 0; i < count; i += 16) {
        __mmask16 lanes = lanes_from(i, count);
        __m512 number = _mm512_sub_ps(_mm512_maskz_loadu_ps(lanes, x + i), _mm512_maskz_loadu_ps(lanes, y + i));
        _mm512_mask_storeu_ps(z + i, lanes, number);
        _mm512_mask_storeu_ps(sums + i, lanes, _mm512_add_ps(_mm512_maskz_loadu_ps(lanes, sums + i), number));
        squares = _mm512_fmadd_ps(number, number, squares);
    }
    return _mm512_reduce_add_ps(squares);
}

ORRERY_END

#endif

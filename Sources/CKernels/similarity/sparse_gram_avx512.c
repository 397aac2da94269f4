// A^T A times 48 columns: the row's product stays in three registers (six while it is gathered, so that two chains of
// sums run side by side), and the rows that come next are fetched ahead, since their places follow no order.
#include "instruction_sets.h"
#include "sparse_gram.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

enum { AHEAD = 8 };

ORRERY_INLINE void fetch(const float *row) {
    for (int line = 0; line < 3; line++) _mm_prefetch((const char *)(row + 16 * line), _MM_HINT_T0);
}

ORRERY_INLINE void gather(__m512 z[3], float value, const float *row) {
    __m512 factor = _mm512_set1_ps(value);
    ORRERY_UNROLL
    for (int v = 0; v < 3; v++) z[v] = _mm512_fmadd_ps(factor, _mm512_loadu_ps(row + 16 * v), z[v]);
}

void orrery_sparse_gram_avx512(
    const int64_t *starts, const uint32_t *columns, const float *values, long rows, const float *in, float *out) {
    for (long r = 0; r < rows; r++) {
        int64_t end = starts[r + 1];
        __m512 z[3] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
        __m512 other[3] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
        int64_t entry = starts[r];
        for (; entry + 1 < end; entry += 2) {
            if (entry + AHEAD + 1 < end) {
                fetch(in + (size_t)columns[entry + AHEAD] * ORRERY_SPARSE_COLUMNS);
                fetch(in + (size_t)columns[entry + AHEAD + 1] * ORRERY_SPARSE_COLUMNS);
            }
            gather(z, values[entry], in + (size_t)columns[entry] * ORRERY_SPARSE_COLUMNS);
            gather(other, values[entry + 1], in + (size_t)columns[entry + 1] * ORRERY_SPARSE_COLUMNS);
        }
        if (entry < end) gather(z, values[entry], in + (size_t)columns[entry] * ORRERY_SPARSE_COLUMNS);
        ORRERY_UNROLL
        for (int v = 0; v < 3; v++) z[v] = _mm512_add_ps(z[v], other[v]);
        for (entry = starts[r]; entry < end; entry++) {
            if (entry + AHEAD < end) fetch(out + (size_t)columns[entry + AHEAD] * ORRERY_SPARSE_COLUMNS);
            float *target = out + (size_t)columns[entry] * ORRERY_SPARSE_COLUMNS;
            __m512 factor = _mm512_set1_ps(values[entry]);
            ORRERY_UNROLL
            for (int v = 0; v < 3; v++) {
                __m512 sum = _mm512_fmadd_ps(factor, z[v], _mm512_loadu_ps(target + 16 * v));
                _mm512_storeu_ps(target + 16 * v, sum);
            }
        }
    }
}

void orrery_weighted_rows_avx512(
    const uint32_t *index, const float *weights, long count, const float *rows, long width, float *y) {
    for (long column = 0; column < width; column += 64) {
        __mmask16 masks[4];
        __m512 sums[4];
        for (int v = 0; v < 4; v++) {
            long left = width - column - 16 * v;
            masks[v] = left >= 16 ? 0xFFFF : left <= 0 ? 0 : (__mmask16)((1u << left) - 1);
            sums[v] = _mm512_setzero_ps();
        }
        for (long i = 0; i < count; i++) {
            const float *row = rows + (size_t)index[i] * (size_t)width + column;
            __m512 factor = _mm512_set1_ps(weights[i]);
            ORRERY_UNROLL
            for (int v = 0; v < 4; v++) {
                sums[v] = _mm512_fmadd_ps(factor, _mm512_maskz_loadu_ps(masks[v], row + 16 * v), sums[v]);
            }
        }
        for (int v = 0; v < 4; v++) _mm512_mask_storeu_ps(y + column + 16 * v, masks[v], sums[v]);
    }
}

ORRERY_END

#endif

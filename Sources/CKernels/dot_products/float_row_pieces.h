// The loop around a piece of a row, whatever the format: its weights become floats on the stack, and every row of x
// meets them there. Sixteen sums an element of y, to which weight p is added in number p mod 16; they are added at the
// end.
//
// The file that includes this one says what the compiler may use, and defines WIDEN_HALVES(from, to, count).
#include "float_rows.h"

enum { PIECE = 256, SUMS = 16, ROWS_OF_X = 8 };

ORRERY_INLINE void widen_piece(
    orrery_float_format format, const void *weights, const float *scales, long k, long first, long count, float *to) {
    uint16_t bits[PIECE]; // files align what they hold as they like
    if (format == ORRERY_FLOAT_F16) {
        memcpy(bits, (const uint8_t *)weights + 2 * first, 2 * (size_t)count);
        WIDEN_HALVES(bits, to, count);
    } else if (format == ORRERY_FLOAT_INT8) { // the scale comes at the end of the row
        const int8_t *q = (const int8_t *)weights + first;
        for (long i = 0; i < count; i++) to[i] = (float)q[i];
    } else if (format == ORRERY_FLOAT_BF16) {
        memcpy(bits, (const uint8_t *)weights + 2 * first, 2 * (size_t)count);
        for (long i = 0; i < count; i++) to[i] = float_of_bf16(bits[i]);
    } else {
        orrery_decode_floats(format, weights, scales, k, first, count, to);
    }
}

ORRERY_INLINE void add_products(const float *w, const float *x, float *sums) {
    for (int j = 0; j < SUMS; j++) sums[j] += w[j] * x[j];
}

ORRERY_INLINE void multiply_row(
    orrery_float_format format, const void *weights, const float *scales, long row, long k, const float *x,
    long x_stride, long m, float *y, long y_stride) {
    float sums[ROWS_OF_X][SUMS] = {{0}}, piece[PIECE], rest[SUMS];
    for (long first = 0; first < k; first += PIECE) {
        long count = k - first < PIECE ? k - first : PIECE, whole = count / SUMS * SUMS;
        widen_piece(format, weights, scales, k, row * k + first, count, piece);
        for (long p = count; p < whole + SUMS && p < PIECE; p++) piece[p] = 0;
        for (long i = 0; i < m; i++) {
            const float *from = x + i * x_stride + first;
            for (long p = 0; p < whole; p += SUMS) add_products(piece + p, from + p, sums[i]);
            if (whole == count) continue;
            for (long j = 0; j < SUMS; j++) rest[j] = whole + j < count ? from[whole + j] : 0;
            add_products(piece + whole, rest, sums[i]);
        }
    }
    float scale = format == ORRERY_FLOAT_INT8 ? scales[row] * INT8_STEP : 1;
    for (long i = 0; i < m; i++) {
        float *s = sums[i];
        for (int half = SUMS / 2; half > 0; half /= 2) {
            for (int j = 0; j < half; j++) s[j] += s[j + half];
        }
        y[i * y_stride] = s[0] * scale;
    }
}

ORRERY_INLINE void multiply(
    orrery_float_format format, const void *weights, const float *scales, long first, long rows, long k, const float *x,
    long x_stride, long m, float *y, long y_stride) {
    for (long i = 0; i < m; i += ROWS_OF_X) {
        long count = m - i < ROWS_OF_X ? m - i : ROWS_OF_X;
        for (long r = 0; r < rows; r++) {
            multiply_row(
                format, weights, scales, first + r, k, x + i * x_stride, x_stride, count, y + i * y_stride + r,
                y_stride);
        }
    }
}

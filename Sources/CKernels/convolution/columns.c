// Convolution by way of columns (Chellapilla, Puri, Simard, "High performance convolutional neural networks for
// document processing", 2006): every window of an image becomes a column of a matrix [taps, places], and what remains is a
// matrix product: y = W columns, dW = dy columns', dcolumns = W' dy. It takes every stride, padding and dilation.
#include "matrix_product.h"
#include "paths.h"

#include "../scratch.h"

#include <string.h>

static int multiply(int path, const orrery_sgemm *product) {
    long (*chunks)(const orrery_sgemm *) = orrery_sgemm_chunks_portable;
    int (*compute)(const orrery_sgemm *, long) = orrery_sgemm_portable;
#if defined(__x86_64__)
    if (path == ORRERY_CONVOLUTION_AVX2) {
        chunks = orrery_sgemm_chunks_avx2;
        compute = orrery_sgemm_avx2;
    } else if (path != ORRERY_CONVOLUTION_PORTABLE) {
        chunks = orrery_sgemm_chunks_avx512;
        compute = orrery_sgemm_avx512;
    }
#else
    (void)path;
#endif
    for (long chunk = 0; chunk < chunks(product); chunk++) {
        if (compute(product, chunk)) return -1;
    }
    return 0;
}

// Where a row of windows meets its image: the first and the last of `count` windows whose tap is within `size`.
static range inside(long tap, long stride, long padding, long size, long count) {
    long before = padding - tap; // a window's place is window · stride - before
    long first = before > 0 ? quotient_up(before, stride) : 0;
    long end = size - 1 + before < 0 ? 0 : (size - 1 + before) / stride + 1;
    first = least(first, count);
    return (range){first, greatest(0, least(end, count) - first)};
}

// Walks over the windows' elements of one group of an image: those that are in it, a row at a time.
#define FOR_EACH_RUN(...)                                                                                              \
    const long places = s->out_rows * s->out_columns;                                                                  \
    for (long c = 0; c < s->channels; c++) {                                                                           \
        for (long i = 0; i < s->kernel_rows; i++) {                                                                    \
            for (long j = 0; j < s->kernel_columns; j++) {                                                             \
                const long down = i * s->dilation_rows, right = j * s->dilation_columns;                               \
                const range run = inside(right, s->stride_columns, s->padding_columns, s->columns, s->out_columns);    \
                for (long r = 0; r < s->out_rows; r++) {                                                               \
                    const long row = r * s->stride_rows + down - s->padding_rows;                                      \
                    const long place = ((c * s->kernel_rows + i) * s->kernel_columns + j) * places                     \
                        + r * s->out_columns;                                                                          \
                    const int is_outside = row < 0 || row >= s->rows;                                                  \
                    const long from = (c * s->rows + row) * s->columns + run.start * s->stride_columns + right         \
                        - s->padding_columns;                                                                          \
                    __VA_ARGS__                                                                                        \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

static void write_columns(const shape *s, const float *image, float *columns) {
    FOR_EACH_RUN({
        float *to = columns + place;
        if (is_outside || run.count < s->out_columns) memset(to, 0, s->out_columns * sizeof(float));
        for (long q = 0; !is_outside && q < run.count; q++) to[run.start + q] = image[from + q * s->stride_columns];
    })
}

static void add_columns(const shape *s, const float *columns, float *image) {
    FOR_EACH_RUN({
        const float *source = columns + place;
        for (long q = 0; !is_outside && q < run.count; q++) {
            image[from + q * s->stride_columns] += source[run.start + q];
        }
    })
}

static float *columns_memory(const shape *s) {
    return orrery_scratch(ORRERY_SCRATCH_TILE, taps_of(s) * s->out_rows * s->out_columns * sizeof(float));
}

int orrery_convolution_forward_columns(
    int path, const shape *s, range images, const float *x, const float *weights, const float *bias, float *y) {
    const long places = s->out_rows * s->out_columns, taps = taps_of(s);
    float *columns = columns_memory(s);
    if (!columns) return -1;
    for (long i = 0; i < images.count * s->groups; i++) {
        const long g = i % s->groups;
        float *to = y + i * s->outputs * places;
        write_columns(s, x + i * s->channels * s->rows * s->columns, columns);
        for (long o = 0; bias && o < s->outputs; o++) {
            for (long p = 0; p < places; p++) to[o * places + p] = bias[g * s->outputs + o];
        }
        orrery_sgemm product = {
            .rows = s->outputs, .columns = places, .inner = taps,
            .a = weights + g * s->outputs * taps, .a_row = taps, .a_column = 1,
            .b = columns, .b_row = places, .b_column = 1,
            .c = to, .c_row = places, .accumulate = bias != 0,
        };
        if (multiply(path, &product)) return -1;
    }
    return 0;
}

int orrery_convolution_input_gradient_columns(
    int path, const shape *s, range images, const float *weights, const float *y_gradient, float *x_gradient) {
    const long places = s->out_rows * s->out_columns, taps = taps_of(s);
    const long size = s->channels * s->rows * s->columns;
    float *columns = columns_memory(s);
    if (!columns) return -1;
    for (long i = 0; i < images.count * s->groups; i++) {
        orrery_sgemm product = {
            .rows = taps, .columns = places, .inner = s->outputs,
            .a = weights + i % s->groups * s->outputs * taps, .a_row = 1, .a_column = taps,
            .b = y_gradient + i * s->outputs * places, .b_row = places, .b_column = 1,
            .c = columns, .c_row = places,
        };
        if (multiply(path, &product)) return -1;
        memset(x_gradient + i * size, 0, size * sizeof(float));
        add_columns(s, columns, x_gradient + i * size);
    }
    return 0;
}

int orrery_convolution_weight_gradient_columns(
    int path, const shape *s, range images, range outputs, const float *x, const float *y_gradient, float *part) {
    const long places = s->out_rows * s->out_columns, taps = taps_of(s);
    float *columns = columns_memory(s);
    if (!columns) return -1;
    for (long i = 0; i < images.count * s->groups; i++) {
        write_columns(s, x + i * s->channels * s->rows * s->columns, columns);
        orrery_sgemm product = {
            .rows = outputs.count, .columns = taps, .inner = places,
            .a = y_gradient + (i * s->outputs + outputs.start) * places, .a_row = places, .a_column = 1,
            .b = columns, .b_row = 1, .b_column = places,
            .c = part + (i % s->groups * s->outputs + outputs.start) * taps, .c_row = taps, .accumulate = 1,
        };
        if (multiply(path, &product)) return -1;
    }
    return 0;
}

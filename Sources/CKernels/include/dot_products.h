// Products of short numbers: bfloat16 and int8 matrices, rows of 4- and 8-bit weights, and conversions between widths.
#pragma once

#include <stdint.h>

// MARK: Matrix products

// A matrix product by panels of 32-bit words. C[m, n] = A[m, k] · B[k, n], all row-major, C in 32 bits (f32 or int32).
//
// A word holds `depth` elements that follow each other in k: one f32, two bfloat16, two int16 or four int8. A is cut
// into panels of `rows` rows, B into panels of `columns` columns; within a panel the words are in the order in which a
// tile of C in registers eats them: all rows (all columns) of word 0, then of word 1, ...
typedef struct orrery_dot_kernel {
    int rows;          // of a tile of C
    int columns;       // of a tile of C
    int depth;         // elements of k in a word
    int header;        // words ahead of each panel of B: its compensation sums
    int element_bytes; // of A and B as the caller has them
    void (*pack_a)(const void *a, long stride, long rows, long k, uint32_t *panel);
    void (*pack_b)(const void *b, long stride, long k, long columns, uint32_t *panel);
    void (*tile)(int rows, long words, const uint32_t *a, const uint32_t *b, void *c, long stride, int accumulate);
} orrery_dot_kernel;

typedef enum {
    ORRERY_BF16_PORTABLE,
    ORRERY_BF16_AVX2,
    ORRERY_BF16_AVX512,
    ORRERY_BF16_DOT, // vdpbf16ps
    ORRERY_INT8_PORTABLE,
    ORRERY_INT8_AVX2,
    ORRERY_INT8_VNNI, // vpdpbusd
} orrery_dot_path;

// Null where the path is of another kind of processor; whether this one has the instructions is asked elsewhere.
const orrery_dot_kernel *orrery_dot_kernel_of(orrery_dot_path path);

// The elements of k that one stripe of B holds; sums over k are broken at its multiples.
long orrery_dot_stripe_depth(const orrery_dot_kernel *kernel);

// Bytes of one panel of B with k elements in depth.
long orrery_dot_panel_bytes(const orrery_dot_kernel *kernel, long k);

// Packs B[k, columns], of which k is at most a stripe's depth, panel after panel.
void orrery_dot_pack(
    const orrery_dot_kernel *kernel, const void *b, long stride, long k, long columns, void *panels);

// C[m, n] = A[m, k] · B, or += where `accumulate` is set: k is at most a stripe's depth, `panels` are B's, packed.
// Strides are in elements. The order of sums of an element depends on k alone.
void orrery_dot_multiply(
    const orrery_dot_kernel *kernel, const void *a, long a_stride, long m, long k, const void *panels, long n, void *c,
    long c_stride, int accumulate);

// Memory for packed panels that this thread keeps; null where memory is short.
void *orrery_dot_panel_memory(long bytes);

// The textbook: three loops, each element converted where it is used.
void orrery_gemm_bf16_naive(
    const uint16_t *a, long a_stride, const uint16_t *b, long b_stride, float *c, long c_stride,
    long m, long n, long k);
void orrery_gemm_int8_naive(
    const int8_t *a, long a_stride, const int8_t *b, long b_stride, int32_t *c, long c_stride, long m, long n, long k);

// MARK: Rows of quantized weights

typedef enum { ORRERY_Q8_0, ORRERY_Q4_0, ORRERY_Q4_K, ORRERY_Q5_K, ORRERY_Q6_K } orrery_row_format;

typedef enum {
    ORRERY_ROWS_DECODED,  // every weight decoded to a float, products summed in double: the twin of the others
    ORRERY_ROWS_PORTABLE, // integer products
    ORRERY_ROWS_AVX2,
    ORRERY_ROWS_VNNI,
} orrery_row_path;

// y[i·stride + r] = row r of W · row i of x, for r in 0..<rows and i in 0..<m. W holds rows of k weights, k a multiple
// of the format's block; x is what `orrery_quantize_activations` made for the same format and path. The order of sums
// of an element depends on k alone.
typedef void orrery_row_product(
    const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride);

// Null where the path is of another kind of processor.
orrery_row_product *orrery_row_product_of(orrery_row_format format, orrery_row_path path);

long orrery_row_block_size(orrery_row_format format);
long orrery_row_block_bytes(orrery_row_format format);

// Bytes of m rows of k activations in 8 bits.
long orrery_activation_bytes(long k, long m);
// Memory for them that this thread keeps, aligned to 64; null where memory is short.
void *orrery_activation_memory(long bytes);

// Brings rows first ..< first + count of x[m, k] to 8 bits: by runs of 32 with an f16 scale for Q8_0 and Q4_0 (ggml's
// Q8_0), by 256 with an f32 scale for Q4_K, Q5_K and Q6_K (ggml's Q8_K). What is not finite makes its run NaN.
void orrery_quantize_activations(
    orrery_row_format format, orrery_row_path path, const float *x, long stride, long k, long m, long first,
    long count, void *groups);
// The values that those 8 bits stand for, in their natural order.
void orrery_decode_activations(
    orrery_row_format format, orrery_row_path path, const void *groups, long k, long m, long row, float *x);

// One row of k weights, k a multiple of the format's block, encoded and decoded.
void orrery_encode_row(orrery_row_format format, const float *weights, long k, uint8_t *row);
void orrery_decode_row(orrery_row_format format, const uint8_t *row, long k, float *weights);

// MARK: Rows of weights by float32

typedef enum {
    ORRERY_FLOAT_F32,
    ORRERY_FLOAT_F16,
    ORRERY_FLOAT_BF16,
    ORRERY_FLOAT_NF4,  // 4-bit indices of a codebook, high nibble first; a scale for each 64 of the flattened matrix
    ORRERY_FLOAT_INT8, // a scale for each row: weight = q · scale · (1 / 127)
} orrery_float_format;

typedef enum { ORRERY_FLOAT_PORTABLE, ORRERY_FLOAT_AVX2, ORRERY_FLOAT_AVX512 } orrery_float_path;

// Rows first ..< first + rows of W[.., k], multiplied exactly as they are: widened to f32 and summed in f32.
//
// y[i·y_stride + r] = row first + r of W · row i of x, for i in 0..<m. `weights` and `scales` are the whole matrix's. x
// is what `orrery_arrange_floats` made where `orrery_arranged_floats` says that it is needed. The order of sums of an
// element depends on k alone.
typedef void orrery_float_row_product(
    const void *weights, const float *scales, long first, long rows, long k, const float *x, long x_stride, long m,
    float *y, long y_stride);

// Null where the path is of another kind of processor.
orrery_float_row_product *orrery_float_row_product_of(orrery_float_format format, orrery_float_path path);

// Floats of one row of x in the order that a path wants; 0 if x is taken as it is.
long orrery_arranged_floats(orrery_float_format format, orrery_float_path path, long k);
void orrery_arrange_floats(orrery_float_format format, const float *x, long k, float *arranged);

// Weights first ..< first + count of the flattened matrix W[.., k].
void orrery_decode_floats(
    orrery_float_format format, const void *weights, const float *scales, long k, long first, long count, float *to);

// The nearest of the sixteen NF4 values for x / max|x| of each 64 weights; the first of two that are equally near.
void orrery_encode_nf4(const float *x, long count, uint8_t *to, float *scales);
// One row: q = x · (127 / max|x|) to the nearest whole number, ties to even; the scale is max|x|.
void orrery_encode_int8(const float *x, long count, int8_t *to, float *scale);

// MARK: Conversions

// Rounding to nearest, ties to even; subnormal numbers keep their value; a NaN stays one and becomes quiet.
typedef struct {
    void (*bf16_of_f32)(const float *from, uint16_t *to, long count);
    void (*f32_of_bf16)(const uint16_t *from, float *to, long count);
    void (*f16_of_f32)(const float *from, uint16_t *to, long count);
    void (*f32_of_f16)(const uint16_t *from, float *to, long count);
} orrery_conversions;

extern const orrery_conversions orrery_conversions_portable;
// Null on other kinds of processor.
const orrery_conversions *orrery_conversions_avx2(void);

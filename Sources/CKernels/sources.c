// The text of every kernel, taken in when it is compiled: what the panel shows is what runs. A new file is two lines.
#include "sources.h"

#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char matrix_product_blocked_c[] = {
#embed "matrix_product/blocked.c"
    , 0};
static const char matrix_product_dgemm_avx2_c[] = {
#embed "matrix_product/dgemm_avx2.c"
    , 0};
static const char matrix_product_dgemm_avx512_c[] = {
#embed "matrix_product/dgemm_avx512.c"
    , 0};
static const char matrix_product_dgemm_portable_c[] = {
#embed "matrix_product/dgemm_portable.c"
    , 0};
static const char matrix_product_loop_order_c[] = {
#embed "matrix_product/loop_order.c"
    , 0};
static const char matrix_product_naive_c[] = {
#embed "matrix_product/naive.c"
    , 0};
static const char matrix_product_panels_h[] = {
#embed "matrix_product/panels.h"
    , 0};
static const char matrix_product_product_h[] = {
#embed "matrix_product/product.h"
    , 0};
static const char matrix_product_sgemm_avx2_c[] = {
#embed "matrix_product/sgemm_avx2.c"
    , 0};
static const char matrix_product_sgemm_avx512_c[] = {
#embed "matrix_product/sgemm_avx512.c"
    , 0};
static const char matrix_product_sgemm_portable_c[] = {
#embed "matrix_product/sgemm_portable.c"
    , 0};
static const char matrix_product_single_row_h[] = {
#embed "matrix_product/single_row.h"
    , 0};
static const char matrix_product_tile_h[] = {
#embed "matrix_product/tile.h"
    , 0};
static const char dot_products_activations_c[] = {
#embed "dot_products/activations.c"
    , 0};
static const char dot_products_bf16_avx2_c[] = {
#embed "dot_products/bf16_avx2.c"
    , 0};
static const char dot_products_bf16_avx512_c[] = {
#embed "dot_products/bf16_avx512.c"
    , 0};
static const char dot_products_bf16_dot_c[] = {
#embed "dot_products/bf16_dot.c"
    , 0};
static const char dot_products_bf16_portable_c[] = {
#embed "dot_products/bf16_portable.c"
    , 0};
static const char dot_products_conversions_c[] = {
#embed "dot_products/conversions.c"
    , 0};
static const char dot_products_dot_blocks_c[] = {
#embed "dot_products/dot_blocks.c"
    , 0};
static const char dot_products_dot_kernels_h[] = {
#embed "dot_products/dot_kernels.h"
    , 0};
static const char dot_products_dot_tile_h[] = {
#embed "dot_products/dot_tile.h"
    , 0};
static const char dot_products_gemm_naive_c[] = {
#embed "dot_products/gemm_naive.c"
    , 0};
static const char dot_products_half_h[] = {
#embed "dot_products/half.h"
    , 0};
static const char dot_products_int8_avx2_c[] = {
#embed "dot_products/int8_avx2.c"
    , 0};
static const char dot_products_int8_portable_c[] = {
#embed "dot_products/int8_portable.c"
    , 0};
static const char dot_products_int8_vnni_c[] = {
#embed "dot_products/int8_vnni.c"
    , 0};
static const char dot_products_q4_0_vnni_c[] = {
#embed "dot_products/q4_0_vnni.c"
    , 0};
static const char dot_products_q4_k_encode_c[] = {
#embed "dot_products/q4_k_encode.c"
    , 0};
static const char dot_products_q4_k_vnni_c[] = {
#embed "dot_products/q4_k_vnni.c"
    , 0};
static const char dot_products_q8_0_vnni_c[] = {
#embed "dot_products/q8_0_vnni.c"
    , 0};
static const char dot_products_quantized_rows_c[] = {
#embed "dot_products/quantized_rows.c"
    , 0};
static const char dot_products_quantized_rows_h[] = {
#embed "dot_products/quantized_rows.h"
    , 0};
static const char dot_products_row_formats_c[] = {
#embed "dot_products/row_formats.c"
    , 0};
static const char dot_products_row_formats_h[] = {
#embed "dot_products/row_formats.h"
    , 0};
static const char dot_products_row_groups_avx512_h[] = {
#embed "dot_products/row_groups_avx512.h"
    , 0};
static const char dot_products_rows_avx2_c[] = {
#embed "dot_products/rows_avx2.c"
    , 0};
static const char dot_products_rows_decoded_c[] = {
#embed "dot_products/rows_decoded.c"
    , 0};
static const char dot_products_rows_portable_c[] = {
#embed "dot_products/rows_portable.c"
    , 0};
static const char dot_products_words_avx512_h[] = {
#embed "dot_products/words_avx512.h"
    , 0};
static const char dot_products_activations_avx512_c[] = {
#embed "dot_products/activations_avx512.c"
    , 0};
static const char dot_products_float_encode_c[] = {
#embed "dot_products/float_encode.c"
    , 0};
static const char dot_products_float_row_pieces_h[] = {
#embed "dot_products/float_row_pieces.h"
    , 0};
static const char dot_products_float_rows_c[] = {
#embed "dot_products/float_rows.c"
    , 0};
static const char dot_products_float_rows_h[] = {
#embed "dot_products/float_rows.h"
    , 0};
static const char dot_products_float_rows_avx2_c[] = {
#embed "dot_products/float_rows_avx2.c"
    , 0};
static const char dot_products_float_rows_avx512_c[] = {
#embed "dot_products/float_rows_avx512.c"
    , 0};
static const char dot_products_float_rows_portable_c[] = {
#embed "dot_products/float_rows_portable.c"
    , 0};
static const char dot_products_nf4_rows_avx512_c[] = {
#embed "dot_products/nf4_rows_avx512.c"
    , 0};
static const char dot_products_q5_k_vnni_c[] = {
#embed "dot_products/q5_k_vnni.c"
    , 0};
static const char dot_products_q6_k_encode_c[] = {
#embed "dot_products/q6_k_encode.c"
    , 0};
static const char dot_products_q6_k_vnni_c[] = {
#embed "dot_products/q6_k_vnni.c"
    , 0};
static const char dot_products_side_by_side_h[] = {
#embed "dot_products/side_by_side.h"
    , 0};
static const char dot_products_super_blocks_avx512_h[] = {
#embed "dot_products/super_blocks_avx512.h"
    , 0};
static const char weight_products_activation_runs_h[] = {
#embed "weight_products/activation_runs.h"
    , 0};
static const char weight_products_activation_runs_avx512_c[] = {
#embed "weight_products/activation_runs_avx512.c"
    , 0};
static const char weight_products_bf16_dot_panels_c[] = {
#embed "weight_products/bf16_dot_panels.c"
    , 0};
static const char weight_products_byte_panels_h[] = {
#embed "weight_products/byte_panels.h"
    , 0};
static const char weight_products_float_rows_avx512_c[] = {
#embed "weight_products/float_rows_avx512.c"
    , 0};
static const char weight_products_half_scales_h[] = {
#embed "weight_products/half_scales.h"
    , 0};
static const char weight_products_int8_panels_c[] = {
#embed "weight_products/int8_panels.c"
    , 0};
static const char weight_products_k_scales_h[] = {
#embed "weight_products/k_scales.h"
    , 0};
static const char weight_products_naive_c[] = {
#embed "weight_products/naive.c"
    , 0};
static const char weight_products_panel_kernels_c[] = {
#embed "weight_products/panel_kernels.c"
    , 0};
static const char weight_products_panel_kernels_h[] = {
#embed "weight_products/panel_kernels.h"
    , 0};
static const char weight_products_panel_loops_c[] = {
#embed "weight_products/panel_loops.c"
    , 0};
static const char weight_products_q4_0_panels_c[] = {
#embed "weight_products/q4_0_panels.c"
    , 0};
static const char weight_products_q4_k_panels_c[] = {
#embed "weight_products/q4_k_panels.c"
    , 0};
static const char weight_products_q5_k_panels_c[] = {
#embed "weight_products/q5_k_panels.c"
    , 0};
static const char weight_products_q6_k_panels_c[] = {
#embed "weight_products/q6_k_panels.c"
    , 0};
static const char weight_products_q8_0_panels_c[] = {
#embed "weight_products/q8_0_panels.c"
    , 0};
static const char weight_products_row_tile_h[] = {
#embed "weight_products/row_tile.h"
    , 0};
static const char weight_products_transpose_words_h[] = {
#embed "weight_products/transpose_words.h"
    , 0};
static const char weight_products_widen_avx512_h[] = {
#embed "weight_products/widen_avx512.h"
    , 0};
static const char rows_exp_c[] = {
#embed "rows/exp.c"
    , 0};
static const char rows_exp_avx2_h[] = {
#embed "rows/exp_avx2.h"
    , 0};
static const char rows_exp_avx512_h[] = {
#embed "rows/exp_avx512.h"
    , 0};
static const char rows_exp_portable_h[] = {
#embed "rows/exp_portable.h"
    , 0};
static const char rows_lanes_avx512_h[] = {
#embed "rows/lanes_avx512.h"
    , 0};
static const char rows_layer_norm_avx512_c[] = {
#embed "rows/layer_norm_avx512.c"
    , 0};
static const char rows_norm_avx2_c[] = {
#embed "rows/norm_avx2.c"
    , 0};
static const char rows_norm_portable_c[] = {
#embed "rows/norm_portable.c"
    , 0};
static const char rows_norm_textbook_c[] = {
#embed "rows/norm_textbook.c"
    , 0};
static const char rows_rms_norm_avx512_c[] = {
#embed "rows/rms_norm_avx512.c"
    , 0};
static const char rows_softmax_avx2_c[] = {
#embed "rows/softmax_avx2.c"
    , 0};
static const char rows_softmax_avx512_c[] = {
#embed "rows/softmax_avx512.c"
    , 0};
static const char rows_softmax_libm_c[] = {
#embed "rows/softmax_libm.c"
    , 0};
static const char rows_softmax_online_c[] = {
#embed "rows/softmax_online.c"
    , 0};
static const char rows_softmax_overlapped_c[] = {
#embed "rows/softmax_overlapped.c"
    , 0};
static const char rows_softmax_portable_c[] = {
#embed "rows/softmax_portable.c"
    , 0};
static const char attention_attention_rows_h[] = {
#embed "attention/attention_rows.h"
    , 0};
static const char attention_chunks_c[] = {
#embed "attention/chunks.c"
    , 0};
static const char attention_exp2_vector_h[] = {
#embed "attention/exp2_vector.h"
    , 0};
static const char attention_flash_avx2_c[] = {
#embed "attention/flash_avx2.c"
    , 0};
static const char attention_flash_avx512_c[] = {
#embed "attention/flash_avx512.c"
    , 0};
static const char attention_flash_backward_h[] = {
#embed "attention/flash_backward.h"
    , 0};
static const char attention_flash_forward_h[] = {
#embed "attention/flash_forward.h"
    , 0};
static const char attention_flash_portable_c[] = {
#embed "attention/flash_portable.c"
    , 0};
static const char attention_naive_c[] = {
#embed "attention/naive.c"
    , 0};
static const char attention_naive_backward_c[] = {
#embed "attention/naive_backward.c"
    , 0};
static const char attention_panel_h[] = {
#embed "attention/panel.h"
    , 0};
static const char attention_panel_products_h[] = {
#embed "attention/panel_products.h"
    , 0};
static const char thread_pool_c[] = {
#embed "thread_pool.c"
    , 0};
static const char Kernels_Libraries_OpenBLAS_swift[] = {
#embed "../Kernels/Libraries/OpenBLAS.swift"
    , 0};

typedef struct {
    const char *path;
    const char *text;
} source;

static const source sources[] = {
    {"CKernels/matrix_product/blocked.c", matrix_product_blocked_c},
    {"CKernels/matrix_product/dgemm_avx2.c", matrix_product_dgemm_avx2_c},
    {"CKernels/matrix_product/dgemm_avx512.c", matrix_product_dgemm_avx512_c},
    {"CKernels/matrix_product/dgemm_portable.c", matrix_product_dgemm_portable_c},
    {"CKernels/matrix_product/loop_order.c", matrix_product_loop_order_c},
    {"CKernels/matrix_product/naive.c", matrix_product_naive_c},
    {"CKernels/matrix_product/panels.h", matrix_product_panels_h},
    {"CKernels/matrix_product/product.h", matrix_product_product_h},
    {"CKernels/matrix_product/sgemm_avx2.c", matrix_product_sgemm_avx2_c},
    {"CKernels/matrix_product/sgemm_avx512.c", matrix_product_sgemm_avx512_c},
    {"CKernels/matrix_product/sgemm_portable.c", matrix_product_sgemm_portable_c},
    {"CKernels/matrix_product/single_row.h", matrix_product_single_row_h},
    {"CKernels/matrix_product/tile.h", matrix_product_tile_h},
    {"CKernels/dot_products/activations.c", dot_products_activations_c},
    {"CKernels/dot_products/bf16_avx2.c", dot_products_bf16_avx2_c},
    {"CKernels/dot_products/bf16_avx512.c", dot_products_bf16_avx512_c},
    {"CKernels/dot_products/bf16_dot.c", dot_products_bf16_dot_c},
    {"CKernels/dot_products/bf16_portable.c", dot_products_bf16_portable_c},
    {"CKernels/dot_products/conversions.c", dot_products_conversions_c},
    {"CKernels/dot_products/dot_blocks.c", dot_products_dot_blocks_c},
    {"CKernels/dot_products/dot_kernels.h", dot_products_dot_kernels_h},
    {"CKernels/dot_products/dot_tile.h", dot_products_dot_tile_h},
    {"CKernels/dot_products/gemm_naive.c", dot_products_gemm_naive_c},
    {"CKernels/dot_products/half.h", dot_products_half_h},
    {"CKernels/dot_products/int8_avx2.c", dot_products_int8_avx2_c},
    {"CKernels/dot_products/int8_portable.c", dot_products_int8_portable_c},
    {"CKernels/dot_products/int8_vnni.c", dot_products_int8_vnni_c},
    {"CKernels/dot_products/q4_0_vnni.c", dot_products_q4_0_vnni_c},
    {"CKernels/dot_products/q4_k_encode.c", dot_products_q4_k_encode_c},
    {"CKernels/dot_products/q4_k_vnni.c", dot_products_q4_k_vnni_c},
    {"CKernels/dot_products/q8_0_vnni.c", dot_products_q8_0_vnni_c},
    {"CKernels/dot_products/quantized_rows.c", dot_products_quantized_rows_c},
    {"CKernels/dot_products/quantized_rows.h", dot_products_quantized_rows_h},
    {"CKernels/dot_products/row_formats.c", dot_products_row_formats_c},
    {"CKernels/dot_products/row_formats.h", dot_products_row_formats_h},
    {"CKernels/dot_products/row_groups_avx512.h", dot_products_row_groups_avx512_h},
    {"CKernels/dot_products/rows_avx2.c", dot_products_rows_avx2_c},
    {"CKernels/dot_products/rows_decoded.c", dot_products_rows_decoded_c},
    {"CKernels/dot_products/rows_portable.c", dot_products_rows_portable_c},
    {"CKernels/dot_products/words_avx512.h", dot_products_words_avx512_h},
    {"CKernels/dot_products/activations_avx512.c", dot_products_activations_avx512_c},
    {"CKernels/dot_products/float_encode.c", dot_products_float_encode_c},
    {"CKernels/dot_products/float_row_pieces.h", dot_products_float_row_pieces_h},
    {"CKernels/dot_products/float_rows.c", dot_products_float_rows_c},
    {"CKernels/dot_products/float_rows.h", dot_products_float_rows_h},
    {"CKernels/dot_products/float_rows_avx2.c", dot_products_float_rows_avx2_c},
    {"CKernels/dot_products/float_rows_avx512.c", dot_products_float_rows_avx512_c},
    {"CKernels/dot_products/float_rows_portable.c", dot_products_float_rows_portable_c},
    {"CKernels/dot_products/nf4_rows_avx512.c", dot_products_nf4_rows_avx512_c},
    {"CKernels/dot_products/q5_k_vnni.c", dot_products_q5_k_vnni_c},
    {"CKernels/dot_products/q6_k_encode.c", dot_products_q6_k_encode_c},
    {"CKernels/dot_products/q6_k_vnni.c", dot_products_q6_k_vnni_c},
    {"CKernels/dot_products/side_by_side.h", dot_products_side_by_side_h},
    {"CKernels/dot_products/super_blocks_avx512.h", dot_products_super_blocks_avx512_h},
    {"CKernels/weight_products/activation_runs.h", weight_products_activation_runs_h},
    {"CKernels/weight_products/activation_runs_avx512.c", weight_products_activation_runs_avx512_c},
    {"CKernels/weight_products/bf16_dot_panels.c", weight_products_bf16_dot_panels_c},
    {"CKernels/weight_products/byte_panels.h", weight_products_byte_panels_h},
    {"CKernels/weight_products/float_rows_avx512.c", weight_products_float_rows_avx512_c},
    {"CKernels/weight_products/half_scales.h", weight_products_half_scales_h},
    {"CKernels/weight_products/int8_panels.c", weight_products_int8_panels_c},
    {"CKernels/weight_products/k_scales.h", weight_products_k_scales_h},
    {"CKernels/weight_products/naive.c", weight_products_naive_c},
    {"CKernels/weight_products/panel_kernels.c", weight_products_panel_kernels_c},
    {"CKernels/weight_products/panel_kernels.h", weight_products_panel_kernels_h},
    {"CKernels/weight_products/panel_loops.c", weight_products_panel_loops_c},
    {"CKernels/weight_products/q4_0_panels.c", weight_products_q4_0_panels_c},
    {"CKernels/weight_products/q4_k_panels.c", weight_products_q4_k_panels_c},
    {"CKernels/weight_products/q5_k_panels.c", weight_products_q5_k_panels_c},
    {"CKernels/weight_products/q6_k_panels.c", weight_products_q6_k_panels_c},
    {"CKernels/weight_products/q8_0_panels.c", weight_products_q8_0_panels_c},
    {"CKernels/weight_products/row_tile.h", weight_products_row_tile_h},
    {"CKernels/weight_products/transpose_words.h", weight_products_transpose_words_h},
    {"CKernels/weight_products/widen_avx512.h", weight_products_widen_avx512_h},
    {"CKernels/rows/exp.c", rows_exp_c},
    {"CKernels/rows/exp_avx2.h", rows_exp_avx2_h},
    {"CKernels/rows/exp_avx512.h", rows_exp_avx512_h},
    {"CKernels/rows/exp_portable.h", rows_exp_portable_h},
    {"CKernels/rows/lanes_avx512.h", rows_lanes_avx512_h},
    {"CKernels/rows/layer_norm_avx512.c", rows_layer_norm_avx512_c},
    {"CKernels/rows/norm_avx2.c", rows_norm_avx2_c},
    {"CKernels/rows/norm_portable.c", rows_norm_portable_c},
    {"CKernels/rows/norm_textbook.c", rows_norm_textbook_c},
    {"CKernels/rows/rms_norm_avx512.c", rows_rms_norm_avx512_c},
    {"CKernels/rows/softmax_avx2.c", rows_softmax_avx2_c},
    {"CKernels/rows/softmax_avx512.c", rows_softmax_avx512_c},
    {"CKernels/rows/softmax_libm.c", rows_softmax_libm_c},
    {"CKernels/rows/softmax_online.c", rows_softmax_online_c},
    {"CKernels/rows/softmax_overlapped.c", rows_softmax_overlapped_c},
    {"CKernels/rows/softmax_portable.c", rows_softmax_portable_c},
    {"CKernels/attention/attention_rows.h", attention_attention_rows_h},
    {"CKernels/attention/chunks.c", attention_chunks_c},
    {"CKernels/attention/exp2_vector.h", attention_exp2_vector_h},
    {"CKernels/attention/flash_avx2.c", attention_flash_avx2_c},
    {"CKernels/attention/flash_avx512.c", attention_flash_avx512_c},
    {"CKernels/attention/flash_backward.h", attention_flash_backward_h},
    {"CKernels/attention/flash_forward.h", attention_flash_forward_h},
    {"CKernels/attention/flash_portable.c", attention_flash_portable_c},
    {"CKernels/attention/naive.c", attention_naive_c},
    {"CKernels/attention/naive_backward.c", attention_naive_backward_c},
    {"CKernels/attention/panel.h", attention_panel_h},
    {"CKernels/attention/panel_products.h", attention_panel_products_h},
    {"CKernels/thread_pool.c", thread_pool_c},
    {"Kernels/Libraries/OpenBLAS.swift", Kernels_Libraries_OpenBLAS_swift},
};

const char *orrery_kernel_source(const char *path) {
    for (unsigned i = 0; i < sizeof sources / sizeof *sources; i++) {
        if (!strcmp(sources[i].path, path)) return sources[i].text;
    }
    return 0;
}

// Which way serves which format, and what both kinds of loops share.
#include "panel_kernels.h"

#include "../include/processor.h"
#include "../scratch.h"

static const struct {
    int weights, bytes;
} blocks[] = {
    [ORRERY_WEIGHTS_F32] = {1, 4},      [ORRERY_WEIGHTS_F16] = {1, 2},      [ORRERY_WEIGHTS_BF16] = {1, 2},
    [ORRERY_WEIGHTS_Q8_0] = {32, 34},   [ORRERY_WEIGHTS_Q4_0] = {32, 18},   [ORRERY_WEIGHTS_Q4_K] = {256, 144},
    [ORRERY_WEIGHTS_Q5_K] = {256, 176}, [ORRERY_WEIGHTS_Q6_K] = {256, 210}, [ORRERY_WEIGHTS_NF4] = {2, 1},
    [ORRERY_WEIGHTS_INT8] = {1, 1},
};

long orrery_weight_offset(orrery_weight_format format, long column) {
    return column / blocks[format].weights * blocks[format].bytes;
}

static const panel_loops *loops_of(const orrery_panel_kernel *kernel) {
#if defined(__x86_64__)
    if (!kernel->panels) return &orrery_row_loops;
#endif
    (void)kernel;
    return &orrery_panel_loops;
}

long orrery_panel_rows_of_x(const orrery_panel_kernel *kernel) { return loops_of(kernel)->rows_of_x; }

size_t orrery_panel_scratch_bytes(const orrery_panel_kernel *kernel) { return loops_of(kernel)->scratch_bytes(kernel); }

size_t orrery_panel_activation_bytes(const orrery_panel_kernel *kernel, long m, long columns) {
    return loops_of(kernel)->activation_bytes(kernel, m, columns);
}

void *orrery_panel_activation_memory(size_t bytes) { return orrery_scratch(ORRERY_SCRATCH_A, bytes); }

long orrery_panel_activation_chunks(const orrery_panel_kernel *kernel, const orrery_weight_product *product) {
    return loops_of(kernel)->activation_chunks(kernel, product);
}

void orrery_panel_pack_activations(
    const orrery_panel_kernel *kernel, const orrery_weight_product *product, long chunk) {
    loops_of(kernel)->pack_activations(kernel, product, chunk);
}

long orrery_panel_chunks(const orrery_panel_kernel *kernel, const orrery_weight_product *product) {
    return loops_of(kernel)->chunks(kernel, product);
}

int orrery_panel_multiply(const orrery_panel_kernel *kernel, const orrery_weight_product *product, long chunk) {
    return loops_of(kernel)->multiply(kernel, product, chunk);
}

const orrery_panel_kernel *orrery_panel_kernel_of(orrery_weight_format format, uint32_t features) {
#if defined(__x86_64__)
    if (!(features & ORRERY_AVX512)) return 0;
    switch (format) {
    case ORRERY_WEIGHTS_F32:
    case ORRERY_WEIGHTS_F16:
    case ORRERY_WEIGHTS_NF4: return &orrery_float_rows;
    case ORRERY_WEIGHTS_BF16: return features & ORRERY_AVX512_BF16 ? &orrery_bf16_dot_panels : &orrery_float_rows;
    default: break;
    }
    if (!(features & ORRERY_AVX512_VNNI)) return 0;
    switch (format) {
    case ORRERY_WEIGHTS_Q8_0: return &orrery_q8_0_panels;
    case ORRERY_WEIGHTS_Q4_0: return &orrery_q4_0_panels;
    case ORRERY_WEIGHTS_Q4_K: return &orrery_q4_k_panels;
    case ORRERY_WEIGHTS_Q5_K: return &orrery_q5_k_panels;
    case ORRERY_WEIGHTS_Q6_K: return &orrery_q6_k_panels;
    case ORRERY_WEIGHTS_INT8: return &orrery_int8_panels;
    default: return 0;
    }
#else
    (void)format;
    (void)features;
    return 0;
#endif
}

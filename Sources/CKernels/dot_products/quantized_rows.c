// Which product goes with which format and path; sizes.
#include "quantized_rows.h"

orrery_row_product *orrery_row_product_of(orrery_row_format format, orrery_row_path path) {
    static orrery_row_product *const products[5][4] = {
#if defined(__x86_64__)
        {orrery_q8_0_decoded, orrery_q8_0_portable, orrery_q8_0_avx2, orrery_q8_0_vnni},
        {orrery_q4_0_decoded, orrery_q4_0_portable, orrery_q4_0_avx2, orrery_q4_0_vnni},
        {orrery_q4_k_decoded, orrery_q4_k_portable, orrery_q4_k_avx2, orrery_q4_k_vnni},
        {orrery_q5_k_decoded, orrery_q5_k_portable, orrery_q5_k_avx2, orrery_q5_k_vnni},
        {orrery_q6_k_decoded, orrery_q6_k_portable, orrery_q6_k_avx2, orrery_q6_k_vnni},
#else
        {orrery_q8_0_decoded, orrery_q8_0_portable},
        {orrery_q4_0_decoded, orrery_q4_0_portable},
        {orrery_q4_k_decoded, orrery_q4_k_portable},
        {orrery_q5_k_decoded, orrery_q5_k_portable},
        {orrery_q6_k_decoded, orrery_q6_k_portable},
#endif
    };
    return products[format][path];
}

long orrery_row_block_size(orrery_row_format format) { return is_super_block(format) ? 256 : 32; }

long orrery_row_block_bytes(orrery_row_format format) {
    switch (format) {
    case ORRERY_Q8_0: return Q8_0_BYTES;
    case ORRERY_Q4_0: return Q4_0_BYTES;
    case ORRERY_Q4_K: return Q4_K_BYTES;
    case ORRERY_Q5_K: return Q5_K_BYTES;
    default: return Q6_K_BYTES;
    }
}

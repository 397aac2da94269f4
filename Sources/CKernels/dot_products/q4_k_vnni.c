// Q4_K rows by vpdpbusd: a group is two blocks of 144 bytes.
#include "super_blocks_avx512.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512_VNNI

ORRERY_INLINE void decode(const uint8_t *first, const uint8_t *second, weight_group *group) {
    decode_nibbles(first + 16, second + 16, group);
    decode_scales(first, second, group);
}

static const row_kind kind = {.decode = decode, .half_bytes = Q4_K_BYTES, .has_minimum = 1};

void orrery_q4_k_vnni(const uint8_t *w, long rows, long k, const void *x, long m, float *y, long stride) {
    multiply_rows(kind, w, rows, k, x, m, y, stride);
}

ORRERY_END
#endif

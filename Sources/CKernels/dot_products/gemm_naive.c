// The textbook product: three loops, C[i, j] = sum over p of A[i, p] · B[p, j], each element converted where it is
// used. B is read down its columns, so that every step of the inner loop touches another cache line.
#include "../include/dot_products.h"

#include <string.h>

static float widened(uint16_t bits) {
    uint32_t word = (uint32_t)bits << 16;
    float value;
    memcpy(&value, &word, 4);
    return value;
}

void orrery_gemm_bf16_naive(
    const uint16_t *a, long a_stride, const uint16_t *b, long b_stride, float *c, long c_stride,
    long m, long n, long k) {
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++) {
            float sum = 0;
            for (long p = 0; p < k; p++) sum += widened(a[i * a_stride + p]) * widened(b[p * b_stride + j]);
            c[i * c_stride + j] = sum;
        }
    }
}

// Sums past 2^31 wrap, as in every other path; k up to 131,071 cannot get there.
void orrery_gemm_int8_naive(
    const int8_t *a, long a_stride, const int8_t *b, long b_stride, int32_t *c, long c_stride, long m, long n, long k) {
    for (long i = 0; i < m; i++) {
        for (long j = 0; j < n; j++) {
            uint32_t sum = 0;
            for (long p = 0; p < k; p++) sum += (uint32_t)(a[i * a_stride + p] * b[p * b_stride + j]);
            c[i * c_stride + j] = (int32_t)sum;
        }
    }
}

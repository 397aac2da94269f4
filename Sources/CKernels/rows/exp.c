// The exponential of many numbers: e^x for x[0..<count].
#include "rows.h"

#include "exp_avx2.h"
#include "exp_avx512.h"
#include "exp_portable.h"
#include "lanes_avx512.h"

void orrery_exp_portable(const float *x, float *y, long count) {
    for (long i = 0; i < count; i++) y[i] = orrery_exp_portable_one(x[i]);
}

#if defined(__x86_64__)

ORRERY_BEGIN_AVX2
void orrery_exp_avx2(const float *x, float *y, long count) {
    long i = 0;
    for (; i + 8 <= count; i += 8) _mm256_storeu_ps(y + i, orrery_exp_avx2_8(_mm256_loadu_ps(x + i)));
    float rest[8] = {0};
    long missing = count - i;
    for (long k = 0; k < missing; k++) rest[k] = x[i + k];
    _mm256_storeu_ps(rest, orrery_exp_avx2_8(_mm256_loadu_ps(rest)));
    for (long k = 0; k < missing; k++) y[i + k] = rest[k];
}
ORRERY_END

ORRERY_BEGIN_AVX512
void orrery_exp_avx512(const float *x, float *y, long count) {
    const __m512 infinite = _mm512_set1_ps(90.0f); // e^90 is beyond the largest float
    long i = 0;
    for (; i + 16 <= count; i += 16) {
        _mm512_storeu_ps(y + i, orrery_exp_ps(_mm512_min_ps(infinite, _mm512_loadu_ps(x + i))));
    }
    if (i == count) return;
    __mmask16 rest = lanes_from(i, count);
    __m512 last = orrery_exp_ps(_mm512_min_ps(infinite, _mm512_maskz_loadu_ps(rest, x + i)));
    _mm512_mask_storeu_ps(y + i, rest, last);
}
ORRERY_END

#endif

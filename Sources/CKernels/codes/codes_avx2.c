// The kernels of codes with AVX2 and FMA: the same loops, two registers of eight floats a vector.
#include "codes.h"
#include "instruction_sets.h"
#include "lanes.h"

#if defined(__x86_64__)

#define ORRERY_PATH(name) ORRERY_NAME_(name, avx2)
#define ORRERY_NAME_(name, path) ORRERY_NAME__(name, path)
#define ORRERY_NAME__(name, path) name##_##path

ORRERY_BEGIN_("avx2,fma,f16c,popcnt")
#include "center_loops.h"
#include "row_loops.h"

ptrdiff_t orrery_codes_below_avx2(const float *values, ptrdiff_t count, float limit, int32_t *positions) {
    ptrdiff_t found = 0;
    ptrdiff_t i = 0;
    __m256 limits = _mm256_set1_ps(limit);
    for (; i + 8 <= count; i += 8) {
        int mask = _mm256_movemask_ps(_mm256_cmp_ps(_mm256_loadu_ps(values + i), limits, _CMP_LE_OQ));
        for (; mask; mask &= mask - 1) positions[found++] = (int32_t)i + __builtin_ctz((unsigned)mask);
    }
    for (; i < count; i++) {
        if (values[i] <= limit) positions[found++] = (int32_t)i;
    }
    return found;
}
ORRERY_END
#endif

// Instructions beyond those that every kernel of ours chooses between.
#include "codes.h"

uint32_t orrery_codes_features(void) {
    uint32_t found = 0;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512bw")) found |= ORRERY_CODES_VPOPCNT;
    if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bw")) found |= ORRERY_CODES_VBMI;
#endif
    return found;
}

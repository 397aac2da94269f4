#define _GNU_SOURCE
#include "processor.h"

#include <sched.h>
#include <string.h>

int orrery_processor_count(void) {
    cpu_set_t usable;
    return sched_getaffinity(0, sizeof usable, &usable) ? 0 : CPU_COUNT(&usable);
}

#if defined(__x86_64__)
#include <cpuid.h>

uint32_t orrery_processor_features(void) {
    __builtin_cpu_init();
    uint32_t found = 0;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")) {
        found |= ORRERY_AVX2;
    }
    if ((found & ORRERY_AVX2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
        found |= ORRERY_AVX512;
        if (__builtin_cpu_supports("avx512vnni")) found |= ORRERY_AVX512_VNNI;
        if (__builtin_cpu_supports("avx512bf16")) found |= ORRERY_AVX512_BF16;
    }
    return found;
}

void orrery_processor_name(char name[49]) {
    uint32_t words[12] = {0};
    if (__get_cpuid_max(0x80000000, 0) >= 0x80000004) {
        for (uint32_t part = 0; part < 3; part++) {
            uint32_t *w = words + 4 * part;
            __get_cpuid(0x80000002 + part, w, w + 1, w + 2, w + 3);
        }
    }
    memcpy(name, words, 48);
    name[48] = 0;
}
#else
uint32_t orrery_processor_features(void) { return 0; }
void orrery_processor_name(char name[49]) { name[0] = 0; }
#endif

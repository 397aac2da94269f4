// Cache sizes by CPUID, for systems whose /sys does not list them: leaf 4 of Intel and leaf 0x8000001d of AMD have the
// same layout. One subleaf a cache: eax holds type, level and sharing; ebx and ecx the sides of the array, less one.
#include "ceilings.h"

#if defined(__x86_64__)
#include <cpuid.h>

enum { DATA = 1, UNIFIED = 3, MOST_CACHES = 16 };

static size_t cache_in_leaf(uint32_t leaf, int level, int *shared_by) {
    for (uint32_t index = 0; index < MOST_CACHES; index++) {
        uint32_t eax, ebx, ecx, edx;
        if (!__get_cpuid_count(leaf, index, &eax, &ebx, &ecx, &edx)) return 0;
        uint32_t type = eax & 31;
        if (!type) return 0;
        if ((type != DATA && type != UNIFIED) || (int)(eax >> 5 & 7) != level) continue;
        size_t ways = (ebx >> 22 & 1023) + 1;
        size_t partitions = (ebx >> 12 & 1023) + 1;
        size_t line = (ebx & 4095) + 1;
        size_t sets = (size_t)ecx + 1;
        *shared_by = (int)(eax >> 14 & 4095) + 1;
        return ways * partitions * line * sets;
    }
    return 0;
}

size_t orrery_cache_bytes(int level, int *shared_by) {
    *shared_by = 0;
    size_t bytes = cache_in_leaf(4, level, shared_by);
    return bytes ? bytes : cache_in_leaf(0x8000001d, level, shared_by);
}
#else
size_t orrery_cache_bytes(int level, int *shared_by) {
    (void)level;
    *shared_by = 0;
    return 0;
}
#endif

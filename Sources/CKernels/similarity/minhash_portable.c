// Minima of many hash functions over a set, on any processor: sixteen functions at a time, so that a compiler can keep
// their minima in registers while it goes over the elements.
#include "similarity.h"

enum { GROUP = 16 };

void orrery_minhash_portable(
    const uint64_t *elements, long count, const uint32_t *keys, uint32_t *minima, long lanes) {
    for (long group = 0; group < lanes; group += GROUP) {
        const uint32_t *first = keys + group;
        const uint32_t *second = first + lanes;
        const uint32_t *third = second + lanes;
        uint32_t *lowest = minima + group;
        for (long i = 0; i < count; i++) {
            uint32_t low = (uint32_t)elements[i];
            uint32_t high = (uint32_t)(elements[i] >> 32);
            for (int lane = 0; lane < GROUP; lane++) {
                uint32_t m = (low ^ first[lane]) * second[lane];
                uint32_t hash = ((m ^ m >> 15) + high) * third[lane];
                lowest[lane] = hash < lowest[lane] ? hash : lowest[lane];
            }
        }
    }
}

// The time from a load to the next: a chain of pointers, one a cache line, in random order.
//
// Sattolo's shuffle makes a permutation that is one cycle, so that the walk visits every line before it comes back, and
// no prefetcher can guess the next. Large pages keep the translation of addresses out of it as far as it goes.
#define _GNU_SOURCE
#include "ceilings.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, MOST_WARM_LOADS = 4000000, LOADS_IN_CACHES = 4000, LOADS_IN_MEMORY = 400 };

// Marsaglia's xorshift, 2003.
static uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void *make_cycle(size_t lines) {
    size_t alignment = (size_t)2 << 20;
    size_t bytes = (lines * LINE + alignment - 1) / alignment * alignment;
    void *memory = 0;
    if (posix_memalign(&memory, alignment, bytes)) return 0;
    madvise(memory, bytes, MADV_HUGEPAGE);
    uint32_t *order = malloc(lines * sizeof *order);
    if (!order) {
        free(memory);
        return 0;
    }
    for (size_t i = 0; i < lines; i++) order[i] = (uint32_t)i;
    uint64_t state = 88172645463325252ull;
    for (size_t i = lines - 1; i > 0; i--) {
        size_t j = next_random(&state) % i;
        uint32_t other = order[i];
        order[i] = order[j];
        order[j] = other;
    }
    for (size_t i = 0; i < lines; i++) *(void **)((char *)memory + i * LINE) = (char *)memory + (size_t)order[i] * LINE;
    free(order);
    return memory;
}

static void **walk(void **place, long loads) {
    for (long i = 0; i < loads; i++) place = *place;
    __asm__ volatile("" : "+r"(place));
    return place;
}

double orrery_load_latency(size_t bytes, int samples) {
    size_t lines = bytes / LINE < 2 ? 2 : bytes / LINE;
    if (lines > UINT32_MAX) return -1;
    void *memory = make_cycle(lines);
    if (!memory) return -1;
    long loads = bytes > (size_t)64 << 20 ? LOADS_IN_MEMORY : LOADS_IN_CACHES;
    void **place = walk(memory, lines * 2 < MOST_WARM_LOADS ? (long)lines * 2 : MOST_WARM_LOADS);
    double least = 1e9;
    for (int sample = 0; sample < samples; sample++) {
        double start = orrery_wall_seconds();
        place = walk(place, loads);
        double seconds = orrery_wall_seconds() - start;
        if (seconds < least) least = seconds;
    }
    free(memory);
    return least / (double)loads * 1e9;
}

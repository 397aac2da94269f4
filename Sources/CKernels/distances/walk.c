// The steps of a walk through a graph of neighbors that are not distances: which links are new, and where what was
// found belongs in the beam. One sorted array serves as the queue of candidates and as the set of results: a candidate
// that is farther than the last result is never expanded, so that nothing is lost by dropping it.
#include "distances.h"

#include <sched.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

long orrery_unvisited(const uint32_t *links, long width, uint64_t *visited, const void *base, long stride_bytes,
    long lines, uint32_t *found) {
    long count = 0;
    for (long i = 0; i < width; i++) {
        uint32_t slot = __atomic_load_n(links + i, __ATOMIC_RELAXED);
        if (slot == UINT32_MAX) break;
        uint64_t bit = (uint64_t)1 << (slot & 63), word = visited[slot >> 6];
        if (word & bit) continue;
        const char *row = (const char *)base + (long)slot * stride_bytes;
        for (long line = 0; line < lines; line++) __builtin_prefetch(row + 64 * line, 0, 3);
        found[count++] = slot;
        visited[slot >> 6] = word | bit;
    }
    return count;
}

long orrery_beam_insert(uint64_t *beam, long *size, long capacity, const int32_t *orders, const uint32_t *slots,
    long count, const void *links, long links_bytes) {
    long entries = *size, lowest = capacity;
    for (long i = 0; i < count; i++) {
        uint64_t entry = (uint64_t)((uint32_t)orders[i] ^ 0x80000000u) << 32 | (uint64_t)slots[i] << 1;
        if (entries == capacity && entry >= beam[entries - 1]) continue;
        __builtin_prefetch((const char *)links + (long)slots[i] * links_bytes, 0, 3);
        __builtin_prefetch((const char *)links + (long)slots[i] * links_bytes + 64, 0, 3);
        const uint64_t *low = beam;
        for (long length = entries; length > 0;) {
            long half = length / 2;
            const uint64_t *middle = low + half;
            int after = *middle < entry;
            low = after ? middle + 1 : low;
            length = after ? length - half - 1 : half;
        }
        long at = low - beam;
        if (entries < capacity) entries++;
        memmove(beam + at + 1, beam + at, (size_t)(entries - 1 - at) * sizeof *beam);
        beam[at] = entry;
        if (at < lowest) lowest = at;
    }
    *size = entries;
    return lowest;
}

void orrery_copy_links(const uint32_t *list, long width, uint32_t *links) {
    for (long i = 0; i < width; i++) links[i] = __atomic_load_n(list + i, __ATOMIC_RELAXED);
}

void orrery_store_links(uint32_t *list, long width, const uint32_t *links, long count) {
    for (long i = 0; i < count; i++) __atomic_store_n(list + i, links[i], __ATOMIC_RELAXED);
    for (long i = count; i < width; i++) __atomic_store_n(list + i, UINT32_MAX, __ATOMIC_RELAXED);
}

void orrery_order_of_floats(float *numbers, long count) {
    for (long i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, numbers + i, 4);
        bits ^= (bits >> 31) & 0x7fffffff;
        memcpy(numbers + i, &bits, 4);
    }
}

// The holder of a lock copies some links, far below a microsecond, unless the system runs something else in its place.
void orrery_lock_byte(uint8_t *lock) {
    int spins = 0;
    while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) {
        while (__atomic_load_n(lock, __ATOMIC_RELAXED)) {
            if (++spins % 256 == 0) sched_yield();
#if defined(__x86_64__)
            _mm_pause();
#endif
        }
    }
}

void orrery_unlock_byte(uint8_t *lock) { __atomic_store_n(lock, 0, __ATOMIC_RELEASE); }

#define _GNU_SOURCE
#include "scratch.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

static const size_t page = (size_t)2 << 20;

typedef struct {
    void *memory;
    size_t bytes;
} slot_memory;

static _Thread_local slot_memory slots[ORRERY_SCRATCH_SLOTS];
static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void release(void *own) {
    slot_memory *memory = own;
    for (int i = 0; i < ORRERY_SCRATCH_SLOTS; i++) {
        free(memory[i].memory);
        memory[i] = (slot_memory){0, 0};
    }
}

static void make_key(void) { pthread_key_create(&at_thread_end, release); }

void *orrery_scratch(int slot, size_t bytes) {
    slot_memory *own = &slots[slot];
    if (own->bytes >= bytes) return own->memory;
    pthread_once(&once, make_key);
    pthread_setspecific(at_thread_end, slots);
    size_t alignment = bytes >= page / 4 ? page : 64;
    size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void *memory = 0;
    if (posix_memalign(&memory, alignment, rounded)) return 0;
    if (alignment == page) madvise(memory, rounded, MADV_HUGEPAGE);
    free(own->memory);
    *own = (slot_memory){memory, rounded};
    return memory;
}

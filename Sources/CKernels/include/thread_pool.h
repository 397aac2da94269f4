// Threads that wait for work: they spin for a moment, then sleep.
#pragma once

typedef struct orrery_thread_pool orrery_thread_pool;

// A pool that works with `threads` threads, the caller being one of them. The others start with the first piece of
// work that needs them. Null where memory is short.
orrery_thread_pool *orrery_thread_pool_create(int threads);
void orrery_thread_pool_destroy(orrery_thread_pool *pool);

// Calls body(context, chunk, worker) once for every chunk in 0..<chunks, in no order, and returns when all are done.
// `worker` is below the number of threads and names the scratch memory that a body may use.
// A thread that is busy elsewhere is not waited for before work starts: an awake thread takes the next chunk. Where
// the pool is already busy (a body that calls it again, or a second caller) the caller does all chunks by itself: a
// body under its own number, a second caller as number 0 (of its own context: two callers share no scratch memory).
void orrery_thread_pool_run(
    orrery_thread_pool *pool, long chunks, void (*body)(void *context, long chunk, int worker), void *context);

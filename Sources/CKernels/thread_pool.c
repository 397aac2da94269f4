#define _GNU_SOURCE
#include "thread_pool.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SPIN_NANOSECONDS = 30000, SPINS_BETWEEN_CLOCKS = 64, SPINS_BEFORE_YIELD = 2048 };

struct orrery_thread_pool {
    int threads, started;
    atomic_int owned;             // a caller is busy
    _Atomic(unsigned) generation; // one more for every piece of work: what sleepers wait on
    atomic_int sleepers;
    atomic_int ending;
    // The piece of work. It is complete before `unfinished` says that there is one, and no other begins while a worker
    // is inside: a thread that wakes late never takes a chunk of a later piece with the body of an earlier one.
    _Atomic(long) ticket;     // the next chunk
    _Atomic(long) unfinished; // chunks not yet done
    atomic_int inside;        // workers that may read the fields below
    long chunks;
    void (*body)(void *, long, int);
    void *context;
    pthread_t *handles;
};

typedef struct {
    orrery_thread_pool *pool;
    int worker;
} start;

// Whose chunks this thread is doing, so that a body that calls its own pool again keeps its number: the one that names
// the scratch memory that no other thread uses.
static _Thread_local struct {
    orrery_thread_pool *pool;
    int worker;
} current;

static void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void sleep_while(_Atomic(unsigned) *word, unsigned value) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, 0, 0, 0);
}

static void wake_all(_Atomic(unsigned) *word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0); }

static void take_chunks(orrery_thread_pool *pool, int worker) {
    orrery_thread_pool *outer_pool = current.pool;
    int outer_worker = current.worker;
    current.pool = pool;
    current.worker = worker;
    for (;;) {
        long chunk = atomic_fetch_add(&pool->ticket, 1);
        if (chunk >= pool->chunks) break;
        pool->body(pool->context, chunk, worker);
        atomic_fetch_sub(&pool->unfinished, 1);
    }
    current.pool = outer_pool;
    current.worker = outer_worker;
}

// A worker goes in only while the piece of work is open, and the caller does not leave before every worker is out.
static void *work(void *argument) {
    start begin = *(start *)argument;
    free(argument);
    orrery_thread_pool *pool = begin.pool;
    unsigned seen = 0;
    for (;;) {
        long long deadline = 0;
        for (unsigned spins = 1; atomic_load(&pool->generation) == seen; spins++) {
            pause_briefly();
            if (spins % SPINS_BETWEEN_CLOCKS) continue;
            long long now = nanoseconds();
            if (!deadline) deadline = now + SPIN_NANOSECONDS;
            if (now < deadline) continue;
            atomic_fetch_add(&pool->sleepers, 1);
            while (atomic_load(&pool->generation) == seen) sleep_while(&pool->generation, seen);
            atomic_fetch_sub(&pool->sleepers, 1);
        }
        if (atomic_load(&pool->ending)) return 0;
        seen = atomic_load(&pool->generation);
        atomic_fetch_add(&pool->inside, 1);
        if (atomic_load(&pool->unfinished) > 0) take_chunks(pool, begin.worker);
        atomic_fetch_sub(&pool->inside, 1);
    }
}

static void start_workers(orrery_thread_pool *pool) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); // signals belong to the threads of the program
    while (pool->started < pool->threads - 1) {
        start *begin = malloc(sizeof *begin);
        if (!begin) break;
        *begin = (start){pool, pool->started + 1};
        if (pthread_create(&pool->handles[pool->started], 0, work, begin)) {
            free(begin);
            break;
        }
        pool->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, 0);
}

orrery_thread_pool *orrery_thread_pool_create(int threads) {
    orrery_thread_pool *pool = calloc(1, sizeof *pool);
    if (!pool) return 0;
    pool->threads = threads < 1 ? 1 : threads;
    pool->handles = calloc((size_t)pool->threads, sizeof *pool->handles);
    if (!pool->handles) {
        free(pool);
        return 0;
    }
    return pool;
}

void orrery_thread_pool_destroy(orrery_thread_pool *pool) {
    if (!pool) return;
    atomic_store(&pool->ending, 1);
    atomic_fetch_add(&pool->generation, 1);
    wake_all(&pool->generation);
    for (int i = 0; i < pool->started; i++) pthread_join(pool->handles[i], 0);
    free(pool->handles);
    free(pool);
}

void orrery_thread_pool_run(
    orrery_thread_pool *pool, long chunks, void (*body)(void *context, long chunk, int worker), void *context) {
    int free_now = 0;
    if (chunks <= 1 || pool->threads == 1 || !atomic_compare_exchange_strong(&pool->owned, &free_now, 1)) {
        int worker = current.pool == pool ? current.worker : 0;
        for (long chunk = 0; chunk < chunks; chunk++) body(context, chunk, worker);
        return;
    }
    if (pool->started < pool->threads - 1) start_workers(pool);
    pool->chunks = chunks;
    pool->body = body;
    pool->context = context;
    atomic_store(&pool->ticket, 0);
    atomic_store(&pool->unfinished, chunks);
    atomic_fetch_add(&pool->generation, 1);
    if (atomic_load(&pool->sleepers)) wake_all(&pool->generation);
    take_chunks(pool, 0);
    // The last chunks end soon; on a busy machine their thread may need this processor to do so.
    for (unsigned spins = 1; atomic_load(&pool->unfinished) > 0 || atomic_load(&pool->inside) > 0; spins++) {
        pause_briefly();
        if (spins % SPINS_BEFORE_YIELD == 0) sched_yield();
    }
    atomic_store(&pool->owned, 0);
}

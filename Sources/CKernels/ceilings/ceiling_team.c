// Threads that take a sample together: they sleep between samples, meet at a barrier by spinning, and each notes when
// it began and ended. A sample lasts from the first start to the last end, so that a thread that came late or was taken
// off its processor is seen.
#define _GNU_SOURCE
#include "ceilings.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SPINS_BEFORE_YIELD = 20000 };

// What every thread does in one sample.
typedef struct {
    enum { COMPUTE, BANDWIDTH, TOUCH, END } kind;
    const orrery_compute_ceiling *ceiling;
    long turns;
    int kernel, bits, warm;
    size_t bytes, offset;
    long passes;
} task;

typedef struct {
    _Alignas(64) pthread_t handle;
    orrery_ceiling_team *team;
    int index;
    float *memory;
    double begin, end, processor_begin, processor_end;
} member;

struct orrery_ceiling_team {
    int threads;
    cpu_set_t before; // where the caller could run before it was bound
    int bound;
    size_t reserved;  // bytes that each member has
    size_t position;  // of the next rotating sample
    task task;
    _Alignas(64) _Atomic(unsigned) generation; // one more for each task: what the others sleep on
    _Alignas(64) atomic_int arrived;           // at the barrier before the sample
    _Alignas(64) atomic_int finished;          // with the task
    member members[];
};

static void pause_briefly(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void spin_until(atomic_int *count, int goal) {
    for (unsigned spins = 1; atomic_load(count) < goal; spins++) {
        pause_briefly();
        if (spins % SPINS_BEFORE_YIELD == 0) sched_yield();
    }
}

// --- What a member does

static void run_passes(const task *task, float *memory, long passes) {
    int arrays = orrery_bandwidth_arrays(task->kernel);
    long count = (long)(orrery_bandwidth_bytes(task->kernel, task->bytes) / sizeof(float)) / arrays;
    float *a = memory + task->offset / sizeof(float);
    float *b = arrays > 1 ? a + count : a;
    float *c = arrays > 2 ? b + count : a;
    for (long pass = 0; pass < passes; pass++) {
        orrery_bandwidth(task->kernel, task->bits, a, b, c, count);
        __asm__ volatile("" ::: "memory");
    }
}

static void take_sample(orrery_ceiling_team *team, member *self) {
    const task *task = &team->task;
    if (task->kind == BANDWIDTH) run_passes(task, self->memory, task->warm);
    atomic_fetch_add(&team->arrived, 1);
    spin_until(&team->arrived, team->threads);
    self->processor_begin = orrery_thread_seconds();
    self->begin = orrery_wall_seconds();
    if (task->kind == COMPUTE) {
        task->ceiling->run(task->turns);
    } else {
        run_passes(task, self->memory, task->passes);
    }
    self->end = orrery_wall_seconds();
    self->processor_end = orrery_thread_seconds();
}

static void touch(const task *task, member *self) {
    float *memory = self->memory + task->offset / sizeof(float);
    for (size_t i = 0; i < task->bytes / sizeof(float); i++) memory[i] = 0.5f + (float)(i & 1023) * 0x1p-11f;
}

static void perform(orrery_ceiling_team *team, member *self) {
    if (team->task.kind == TOUCH) {
        touch(&team->task, self);
    } else if (team->task.kind != END) {
        take_sample(team, self);
    }
    atomic_fetch_add(&team->finished, 1);
}

static void *serve(void *argument) {
    member *self = argument;
    orrery_ceiling_team *team = self->team;
    for (unsigned seen = 0;; seen++) {
        while (atomic_load(&team->generation) == seen) {
            syscall(SYS_futex, &team->generation, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0);
        }
        if (team->task.kind == END) return 0;
        perform(team, self);
    }
}

// The caller is member 0 and waits for the others.
static void perform_together(orrery_ceiling_team *team) {
    atomic_store(&team->arrived, 0);
    atomic_store(&team->finished, 0);
    atomic_fetch_add(&team->generation, 1);
    if (team->threads > 1) syscall(SYS_futex, &team->generation, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
    perform(team, &team->members[0]);
    spin_until(&team->finished, team->threads);
}

static orrery_sample sample_together(orrery_ceiling_team *team) {
    perform_together(team);
    double begin = team->members[0].begin, end = team->members[0].end, busy = 1;
    for (int i = 1; i < team->threads; i++) {
        const member *each = &team->members[i];
        if (each->begin < begin) begin = each->begin;
        if (each->end > end) end = each->end;
    }
    // From the first start on: a thread that left the barrier late was without a processor, too.
    for (int i = 0; i < team->threads; i++) {
        const member *each = &team->members[i];
        double share = (each->processor_end - each->processor_begin) / (each->end - begin);
        if (share < busy) busy = share;
    }
    return (orrery_sample){end - begin, busy};
}

// --- The team

// The processor of a member: the n-th of those that the caller may use.
static cpu_set_t processor_of(const orrery_ceiling_team *team, int index) {
    cpu_set_t one;
    CPU_ZERO(&one);
    int usable = CPU_COUNT(&team->before);
    int wanted = usable ? index % usable : 0;
    for (int processor = 0; processor < CPU_SETSIZE; processor++) {
        if (CPU_ISSET(processor, &team->before) && wanted-- == 0) CPU_SET(processor, &one);
    }
    return one;
}

static int start_member(orrery_ceiling_team *team, int index) {
    member *self = &team->members[index];
    self->team = team;
    self->index = index;
    if (pthread_create(&self->handle, 0, serve, self)) return 0;
    cpu_set_t own = processor_of(team, index);
    pthread_setaffinity_np(self->handle, sizeof own, &own);
    return 1;
}

orrery_ceiling_team *orrery_ceiling_team_create(int threads) {
    if (threads < 1) threads = 1;
    size_t bytes = sizeof(orrery_ceiling_team) + (size_t)threads * sizeof(member);
    orrery_ceiling_team *team = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!team) return 0;
    *team = (orrery_ceiling_team){.threads = 1};
    if (sched_getaffinity(0, sizeof team->before, &team->before)) CPU_ZERO(&team->before);
    for (int i = 0; i < threads; i++) team->members[i] = (member){.team = team, .index = i};
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); // signals belong to the threads of the program
    while (team->threads < threads && start_member(team, team->threads)) team->threads++;
    pthread_sigmask(SIG_SETMASK, &before, 0);
    if (team->threads == threads) return team;
    orrery_ceiling_team_destroy(team);
    return 0;
}

void orrery_ceiling_team_destroy(orrery_ceiling_team *team) {
    if (!team) return;
    orrery_ceiling_team_unbind(team);
    team->task = (task){.kind = END};
    atomic_fetch_add(&team->generation, 1);
    syscall(SYS_futex, &team->generation, FUTEX_WAKE_PRIVATE, INT_MAX, 0, 0, 0);
    for (int i = 1; i < team->threads; i++) pthread_join(team->members[i].handle, 0);
    for (int i = 0; i < team->threads; i++) free(team->members[i].memory);
    free(team);
}

void orrery_ceiling_team_bind(orrery_ceiling_team *team) {
    cpu_set_t own = processor_of(team, 0);
    if (CPU_COUNT(&own)) team->bound = !sched_setaffinity(0, sizeof own, &own);
}

void orrery_ceiling_team_unbind(orrery_ceiling_team *team) {
    if (team->bound) sched_setaffinity(0, sizeof team->before, &team->before);
    team->bound = 0;
}

static float *large_pages(size_t bytes) {
    size_t page = (size_t)2 << 20;
    size_t rounded = (bytes + page - 1) / page * page;
    void *memory = 0;
    if (posix_memalign(&memory, page, rounded)) return 0;
    madvise(memory, rounded, MADV_HUGEPAGE);
    return memory;
}

int orrery_ceiling_team_reserve(orrery_ceiling_team *team, size_t bytes) {
    if (bytes <= team->reserved) return 1;
    float **memory = calloc((size_t)team->threads, sizeof *memory);
    if (!memory) return 0;
    int made = 0;
    while (made < team->threads && (memory[made] = large_pages(bytes))) made++;
    int enough = made == team->threads;
    for (int i = 0; i < made; i++) {
        free(enough ? team->members[i].memory : memory[i]);
        if (enough) team->members[i].memory = memory[i];
    }
    free(memory);
    if (enough) team->reserved = bytes;
    return enough;
}

void orrery_ceiling_team_touch(orrery_ceiling_team *team, size_t start, size_t bytes) {
    if (start > team->reserved || bytes > team->reserved - start) return;
    team->task = (task){.kind = TOUCH, .offset = start, .bytes = bytes};
    perform_together(team);
}

orrery_sample orrery_ceiling_team_compute(
    orrery_ceiling_team *team, const orrery_compute_ceiling *ceiling, long turns) {
    team->task = (task){.kind = COMPUTE, .ceiling = ceiling, .turns = turns};
    return sample_together(team);
}

orrery_sample orrery_ceiling_team_bandwidth(
    orrery_ceiling_team *team, int kernel, int bits, size_t bytes, long passes, int warm, int rotating) {
    size_t whole = orrery_bandwidth_bytes(kernel, bytes);
    if (whole > team->reserved) return (orrery_sample){0, 0};
    size_t offset = 0;
    if (rotating) {
        if (team->position + whole > team->reserved) team->position = 0;
        offset = team->position;
        team->position += (whole + 63) / 64 * 64;
    }
    team->task = (task){
        .kind = BANDWIDTH, .kernel = kernel, .bits = bits, .warm = warm,
        .bytes = bytes, .offset = offset, .passes = passes,
    };
    return sample_together(team);
}

// What this processor can do at peak, found by loops that do nothing else: arithmetic without memory, memory without
// arithmetic. A measured kernel stands next to the loop that keeps the same unit busy.
#pragma once

#include <stddef.h>
#include <stdint.h>

// --- Arithmetic: independent chains in registers, as many as hide the latency of an instruction.

enum {
    ORRERY_FLOAT32,
    ORRERY_FLOAT64,
    ORRERY_BFLOAT16,
    ORRERY_INT8,
    ORRERY_CLOCK, // one dependent instruction a cycle: operations a second are the clock in hertz
};

typedef struct {
    const char *name;     // "FMA f32 AVX-512"
    uint32_t needs;       // features of processor.h without which it must not run
    int arithmetic;       // ORRERY_FLOAT32 and so on
    int vector_bits;      // 512, 256 or 128; 0 for the clock
    double operations;    // of one turn of the loop; a fused multiply-add counts two
    void (*run)(long turns);
} orrery_compute_ceiling;

// All of them, the fastest of each arithmetic first; the array ends with a null name.
const orrery_compute_ceiling *orrery_compute_ceilings(void);

// --- Memory: the widest loads and stores of an instruction set, eight at a time.

enum { ORRERY_READ, ORRERY_WRITE, ORRERY_COPY, ORRERY_TRIAD, ORRERY_STREAMING_COPY, ORRERY_BANDWIDTH_KERNELS };

// Elements that a bandwidth loop handles in one turn: counts are multiples of it.
enum { ORRERY_BANDWIDTH_UNIT = 128 };

// read: sums a. write: fills a. copy: b = a. triad: c = a + 1.0001 b. streaming copy: b = a past the caches.
// `bits` is 512, 256 or 128, and the processor must have such vectors. Arrays are aligned to 64 bytes, and `count` is a
// multiple of ORRERY_BANDWIDTH_UNIT.
void orrery_bandwidth(int kernel, int bits, float *a, float *b, float *c, long count);

// How many arrays a kernel goes through: 1, 2 or 3, each `count` floats.
int orrery_bandwidth_arrays(int kernel);

// Nanoseconds from a load to the next that needs its result, in a random cycle over the lines of `bytes` of memory: the
// least of `samples` short runs. Negative where memory is short.
double orrery_load_latency(size_t bytes, int samples);

// --- A team of threads that take one sample together.

typedef struct orrery_ceiling_team orrery_ceiling_team;

// One sample: from the first thread's start to the last one's end.
typedef struct {
    double seconds;
    // The least share of its own time for which a thread had a processor: below 1 another process had it.
    double busy;
} orrery_sample;

// A team of `threads` threads, each bound to its own processor if there are enough; the caller is one of
// them while it takes a sample and is bound by `orrery_ceiling_team_bind`. Null where memory or threads are short.
orrery_ceiling_team *orrery_ceiling_team_create(int threads);
void orrery_ceiling_team_destroy(orrery_ceiling_team *team);

// Binds the calling thread to the first processor of the team, and gives back the processors that it had before.
// Threads that it starts meanwhile are bound to that one too.
void orrery_ceiling_team_bind(orrery_ceiling_team *team);
void orrery_ceiling_team_unbind(orrery_ceiling_team *team);

// Gives each thread `bytes` of memory, not yet touched; 0 if memory is short, and then each has what it had before.
int orrery_ceiling_team_reserve(orrery_ceiling_team *team, size_t bytes);

// Every thread writes numbers into `bytes` of its memory, from byte `start` on: memory lies near the processor that
// touches it first, and untouched memory is not mapped yet.
void orrery_ceiling_team_touch(orrery_ceiling_team *team, size_t start, size_t bytes);

// Every thread runs `turns` turns of the loop.
orrery_sample orrery_ceiling_team_compute(orrery_ceiling_team *team, const orrery_compute_ceiling *ceiling, long turns);

// Every thread goes `passes` times through `bytes` of its memory, all arrays of the kernel together. `warm` passes
// before that are not timed. With `rotating`, each sample takes the piece of memory after that of the one before, so
// that no cache holds it.
orrery_sample orrery_ceiling_team_bandwidth(
    orrery_ceiling_team *team, int kernel, int bits, size_t bytes, long passes, int warm, int rotating);

// The bytes that each thread really goes through in a pass, for `bytes` asked.
size_t orrery_bandwidth_bytes(int kernel, size_t bytes);

// --- Clocks of this thread and process, in seconds.

double orrery_wall_seconds(void);
double orrery_thread_seconds(void);
double orrery_process_seconds(void);

// --- Counters of the processor, where the system lets this process read them.

typedef struct {
    int cycles, instructions; // file descriptors, -1 if there is no such counter
    int error;                // errno of the first that could not be opened, 0 if both could
} orrery_counters;

// Counters of the calling thread in user mode, not yet running.
orrery_counters orrery_counters_open(void);
void orrery_counters_close(orrery_counters *counters);
// Sets both to zero and starts them.
void orrery_counters_start(const orrery_counters *counters);
// Stops both and reads them; -1 for one that is not there.
void orrery_counters_stop(const orrery_counters *counters, int64_t *cycles, int64_t *instructions);

// --- Caches by the processor's own word, where the system does not list them.

// Bytes of the data or unified cache of level 1, 2 or 3 and the number of logical processors that share it; 0 if
// there is none or the processor does not say.
size_t orrery_cache_bytes(int level, int *shared_by);

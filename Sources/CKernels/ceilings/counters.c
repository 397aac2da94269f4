// Cycles and instructions by perf_event_open. Many machines that are rented have none: the hypervisor hides them.
#define _GNU_SOURCE
#include "ceilings.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_counter(uint64_t event, int *error) {
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_HARDWARE,
        .size = sizeof attributes,
        .config = event,
        .disabled = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    int descriptor = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (descriptor < 0 && !*error) *error = errno;
    return descriptor;
}

orrery_counters orrery_counters_open(void) {
    orrery_counters counters = {-1, -1, 0};
    counters.cycles = open_counter(PERF_COUNT_HW_CPU_CYCLES, &counters.error);
    counters.instructions = open_counter(PERF_COUNT_HW_INSTRUCTIONS, &counters.error);
    return counters;
}

void orrery_counters_close(orrery_counters *counters) {
    if (counters->cycles >= 0) close(counters->cycles);
    if (counters->instructions >= 0) close(counters->instructions);
    counters->cycles = counters->instructions = -1;
}

static void command(int descriptor, unsigned long request) {
    if (descriptor >= 0) ioctl(descriptor, request, 0);
}

static int64_t value_of(int descriptor) {
    int64_t value;
    return descriptor >= 0 && read(descriptor, &value, sizeof value) == sizeof value ? value : -1;
}

void orrery_counters_start(const orrery_counters *counters) {
    command(counters->cycles, PERF_EVENT_IOC_RESET);
    command(counters->instructions, PERF_EVENT_IOC_RESET);
    command(counters->cycles, PERF_EVENT_IOC_ENABLE);
    command(counters->instructions, PERF_EVENT_IOC_ENABLE);
}

void orrery_counters_stop(const orrery_counters *counters, int64_t *cycles, int64_t *instructions) {
    command(counters->instructions, PERF_EVENT_IOC_DISABLE);
    command(counters->cycles, PERF_EVENT_IOC_DISABLE);
    *cycles = value_of(counters->cycles);
    *instructions = value_of(counters->instructions);
}

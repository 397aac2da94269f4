#define _GNU_SOURCE
#include "ceilings.h"

#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now)) return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double orrery_wall_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }
double orrery_thread_seconds(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }
double orrery_process_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

// Bandwidths: the same five loops, compiled for vectors of three widths.
#include "ceilings.h"

#include "../instruction_sets.h"

#if defined(__x86_64__)
ORRERY_BEGIN_AVX512
#define BITS 512
#define LOOP(kernel) kernel##_512
#include "bandwidth_loops.h"
#undef BITS
#undef LOOP
ORRERY_END

ORRERY_BEGIN_AVX2
#define BITS 256
#define LOOP(kernel) kernel##_256
#include "bandwidth_loops.h"
#undef BITS
#undef LOOP
ORRERY_END
#endif

#define BITS 128
#define LOOP(kernel) kernel##_128
#include "bandwidth_loops.h"

void orrery_bandwidth(int kernel, int bits, float *a, float *b, float *c, long count) {
#if defined(__x86_64__)
    if (bits == 512) {
        bandwidth_512(kernel, a, b, c, count);
        return;
    }
    if (bits == 256) {
        bandwidth_256(kernel, a, b, c, count);
        return;
    }
#endif
    (void)bits;
    bandwidth_128(kernel, a, b, c, count);
}

int orrery_bandwidth_arrays(int kernel) {
    switch (kernel) {
    case ORRERY_READ:
    case ORRERY_WRITE: return 1;
    case ORRERY_TRIAD: return 3;
    default: return 2;
    }
}

size_t orrery_bandwidth_bytes(int kernel, size_t bytes) {
    size_t arrays = (size_t)orrery_bandwidth_arrays(kernel);
    size_t unit = ORRERY_BANDWIDTH_UNIT * sizeof(float);
    size_t array = bytes / arrays / unit * unit;
    return arrays * (array > unit ? array : unit);
}

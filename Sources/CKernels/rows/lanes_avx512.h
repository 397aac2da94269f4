// The last vector of a row: masked lanes are neither read nor written, wherever the row ends.
#pragma once

#include "../instruction_sets.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

// The lanes of a vector at column i that are within the row; at least one does.
ORRERY_INLINE __mmask16 lanes_from(long i, long columns) {
    return (__mmask16)(columns - i >= 16 ? 0xffffu : (1u << (columns - i)) - 1);
}

ORRERY_END

#endif

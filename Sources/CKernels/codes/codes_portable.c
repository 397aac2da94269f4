// The kernels of codes for any processor.
#define ORRERY_PATH(name) ORRERY_NAME_(name, portable)
#define ORRERY_NAME_(name, path) ORRERY_NAME__(name, path)
#define ORRERY_NAME__(name, path) name##_##path

#include "center_loops.h"
#include "row_loops.h"

ptrdiff_t orrery_codes_below_portable(const float *values, ptrdiff_t count, float limit, int32_t *positions) {
    ptrdiff_t found = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        positions[found] = (int32_t)i;
        found += values[i] <= limit;
    }
    return found;
}

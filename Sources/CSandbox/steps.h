// Steps of a start that may fail, in the order of their names.
#ifndef ORRERY_SANDBOX_STEPS_H
#define ORRERY_SANDBOX_STEPS_H

#include "CSandbox.h"

enum {
    ORRERY_START = 1,
    ORRERY_MAP,
    ORRERY_USER,
    ORRERY_PRIVATE,
    ORRERY_OPEN,
    ORRERY_TEMPORARY,
    ORRERY_ROOT,
    ORRERY_SHOW,
    ORRERY_PROCESSES,
    ORRERY_DEVICES,
    ORRERY_CLOSE,
    ORRERY_LIMIT,
    ORRERY_CAPABILITIES,
    ORRERY_LANDLOCK,
    ORRERY_FILTER,
    ORRERY_FOLDER,
    ORRERY_RUN,
};

/// Writes a report.
void orrery_tell(int report, int step, int value);

/// Reports that a step failed with errno, and ends this process.
__attribute__((noreturn)) void orrery_fail(int report, int step);

/// Makes the kernel kill this process and its children first if memory runs out.
void orrery_offer(void);

/// Builds the file system of the sandbox as the first process of new namespaces, and switches to the sandbox's user.
void orrery_build_root(const orrery_sandbox_plan *plan);

#endif

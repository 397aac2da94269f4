// The text of the kernels themselves, so that a panel can show what ran.
#pragma once

// The text of a source file of this target by its path within Sources ("CKernels/rows.c"); null where it is not kept.
const char *orrery_kernel_source(const char *path);

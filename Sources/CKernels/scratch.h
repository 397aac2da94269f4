// Memory that a thread keeps for its next call: packed panels, score tiles. It is never shared and never moves while a
// kernel uses it, since every use has a slot of its own.
#pragma once

#include <stddef.h>

enum { ORRERY_SCRATCH_A, ORRERY_SCRATCH_B, ORRERY_SCRATCH_TILE, ORRERY_SCRATCH_ATTENTION, ORRERY_SCRATCH_SLOTS };

// At least `bytes` bytes, aligned to 64 (to pages of 2 MiB from 512 KiB on), with what the last call left in them; null where
// memory is short. It goes back when the thread ends.
void *orrery_scratch(int slot, size_t bytes);

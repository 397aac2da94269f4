// What this processor can do, as bits that stay the same for good.
#pragma once

#include <stdint.h>

enum {
    ORRERY_AVX2 = 1 << 0,         // with FMA and F16C
    ORRERY_AVX512 = 1 << 1,       // F, BW, DQ and VL
    ORRERY_AVX512_VNNI = 1 << 2,  // vpdpbusd: int8 dot products
    ORRERY_AVX512_BF16 = 1 << 3,  // vdpbf16ps: bfloat16 dot products
};

uint32_t orrery_processor_features(void);

// The maker's name of the processor, at most 48 characters and a zero; empty if it cannot be asked.
void orrery_processor_name(char name[49]);

// The processors that the scheduler may give to this process; 0 if it does not say.
int orrery_processor_count(void);

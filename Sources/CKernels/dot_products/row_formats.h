#pragma once

#include <stdint.h>

// 256 weights to 144 bytes.
void orrery_encode_q4_k(const float *x, uint8_t *block);

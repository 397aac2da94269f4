#pragma once

#include <stdint.h>

// 256 weights to the 144, 176 and 210 bytes of a block.
void orrery_encode_q4_k(const float *x, uint8_t *block);
void orrery_encode_q5_k(const float *x, uint8_t *block);
void orrery_encode_q6_k(const float *x, uint8_t *block);

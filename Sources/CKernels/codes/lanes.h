// Sixteen floats or indices that the compiler keeps in as many registers as a path needs.
#pragma once

#include <stdint.h>
#include <string.h>

typedef float lanes __attribute__((vector_size(64)));
typedef int32_t lane_indices __attribute__((vector_size(64)));

#define LOAD(vector, pointer) memcpy(&(vector), (pointer), 64)
#define STORE(pointer, vector) memcpy((pointer), &(vector), 64)

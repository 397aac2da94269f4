// The five loops over memory for vectors of one width. The including file defines
//   BITS           the width: 512, 256 or 128
//   LOOP(kernel)   the name of a loop: read ## _512
//
// Layout: arrays of `count` floats, aligned to 64 bytes, `count` a multiple of 128. Eight vectors a turn: enough
// loads in flight for a level-1 cache. The empty statements keep the compiler from seeing memset and memcpy in them.

#define VECTOR LOOP(vector)
#define LANES (BITS / 32)
#define VECTORS_A_TURN 8

typedef float VECTOR __attribute__((vector_size(BITS / 8)));

static float LOOP(read)(const float *a, long count) {
    VECTOR sum[VECTORS_A_TURN];
    ORRERY_UNROLL for (int v = 0; v < VECTORS_A_TURN; v++) sum[v] = (VECTOR){0};
    for (long i = 0; i < count; i += VECTORS_A_TURN * LANES) {
        ORRERY_UNROLL for (int v = 0; v < VECTORS_A_TURN; v++) sum[v] += *(const VECTOR *)(a + i + v * LANES);
    }
    ORRERY_UNROLL for (int v = 1; v < VECTORS_A_TURN; v++) sum[0] += sum[v];
    return sum[0][0] + sum[0][LANES - 1];
}

static void LOOP(write)(float *a, long count) {
    VECTOR value = (VECTOR){0} + 1.25f;
    for (long i = 0; i < count; i += 4 * LANES) {
        ORRERY_UNROLL for (int v = 0; v < 4; v++) *(VECTOR *)(a + i + v * LANES) = value;
        __asm__ volatile("" ::: "memory");
    }
}

static void LOOP(copy)(const float *a, float *b, long count) {
    for (long i = 0; i < count; i += 4 * LANES) {
        VECTOR value[4];
        ORRERY_UNROLL for (int v = 0; v < 4; v++) value[v] = *(const VECTOR *)(a + i + v * LANES);
        ORRERY_UNROLL for (int v = 0; v < 4; v++) *(VECTOR *)(b + i + v * LANES) = value[v];
        __asm__ volatile("" ::: "memory");
    }
}

static void LOOP(streaming_copy)(const float *a, float *b, long count) {
    for (long i = 0; i < count; i += 4 * LANES) {
        VECTOR value[4];
        ORRERY_UNROLL for (int v = 0; v < 4; v++) value[v] = *(const VECTOR *)(a + i + v * LANES);
        ORRERY_UNROLL for (int v = 0; v < 4; v++) __builtin_nontemporal_store(value[v], (VECTOR *)(b + i + v * LANES));
        __asm__ volatile("" ::: "memory");
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static void LOOP(triad)(const float *a, const float *b, float *c, long count) {
    VECTOR scale = (VECTOR){0} + 1.0001f;
    for (long i = 0; i < count; i += 2 * LANES) {
        ORRERY_UNROLL for (int v = 0; v < 2; v++) {
            VECTOR sum = scale * *(const VECTOR *)(b + i + v * LANES) + *(const VECTOR *)(a + i + v * LANES);
            *(VECTOR *)(c + i + v * LANES) = sum;
        }
        __asm__ volatile("" ::: "memory");
    }
}

static void LOOP(bandwidth)(int kernel, float *a, float *b, float *c, long count) {
    float sum = 0;
    switch (kernel) {
    case ORRERY_READ: sum = LOOP(read)(a, count); break;
    case ORRERY_WRITE: LOOP(write)(a, count); break;
    case ORRERY_COPY: LOOP(copy)(a, b, count); break;
    case ORRERY_TRIAD: LOOP(triad)(a, b, c, count); break;
    case ORRERY_STREAMING_COPY: LOOP(streaming_copy)(a, b, count); break;
    }
    __asm__ volatile("" : : "m"(sum)); // keeps the compiler from removing the sum
}

#undef VECTOR
#undef LANES
#undef VECTORS_A_TURN

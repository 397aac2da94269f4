// Activations in 8 bits: per run of 32 (Q8_0) or 256 (Q8_K) the largest magnitude becomes 127 steps.
//
// Q8_0: scale = amax / 127, kept as f16; q = x · (127 / amax), rounded to even. Q8_K: scale = -m / 127 in f32, where m
// is the value of largest magnitude with its sign; q = x · (-127 / m), at most 127.
#include "quantized_rows.h"
#include "../scratch.h"

long orrery_activation_bytes(long k, long m) {
    return (k + GROUP - 1) / GROUP * m * (long)sizeof(activation_group);
}

void *orrery_activation_memory(long bytes) { return orrery_scratch(ORRERY_SCRATCH_B, (size_t)bytes); }

// The bits of the largest magnitude: those of floats are ordered as integers, infinities and NaN above all numbers.
ORRERY_INLINE uint32_t largest_bits(const float *x, int count) {
    uint32_t largest = 0;
    for (int i = 0; i < count; i++) {
        uint32_t magnitude = bits_of_float(x[i]) & 0x7fffffff;
        largest = magnitude > largest ? magnitude : largest;
    }
    return largest;
}

// Adding 1.5 · 2^23 leaves no bits for a fraction, so that the addition rounds, to even; |x| < 2^22.
ORRERY_INLINE int8_t rounded(float x) { return (int8_t)(int32_t)(bits_of_float(x + 12582912.0f) - 0x4b400000); }

ORRERY_INLINE void add_up(activation_group *group, long run) {
    const int8_t *q = group->q + 32 * run;
    int32_t front = 0, back = 0;
    for (int i = 0; i < 16; i++) front += q[i];
    for (int i = 16; i < 32; i++) back += q[i];
    group->sum[run] = front + back;
    group->front_sum[run] = front;
}

ORRERY_INLINE void fill_run(int8_t *q, const float *x, float steps) {
    for (int i = 0; i < 32; i++) q[i] = rounded(x[i] * steps);
}

// Steps a unit, with zero for a block so small that they are infinite: its numbers are zero in 8 bits.
static float usable(float steps) { return (bits_of_float(steps) & 0x7fffffff) < 0x7f800000 ? steps : 0; }

ORRERY_INLINE void quantize_run(const float *x, activation_group *group, long run) {
    uint32_t largest = largest_bits(x, 32);
    float amax = float_of_bits(largest);
    float steps = largest == 0 || largest >= 0x7f800000 ? 0 : usable(127 / amax);
    int8_t *q = group->q + 32 * run;
    if (steps != 0) fill_run(q, x, steps); else memset(q, 0, 32);
    float scale = steps != 0 ? float_of_half(half_of_float(amax / 127)) : 0;
    group->scale[run] = largest >= 0x7f800000 ? float_of_bits(0x7fc00000) : scale;
    add_up(group, run);
}

ORRERY_INLINE void quantize_block(const float *x, activation_group *group, long run) {
    uint32_t largest = largest_bits(x, 256);
    float extreme = float_of_bits(largest);
    for (int i = 0; i < 256; i++) { // the first one decides the sign
        if ((bits_of_float(x[i]) & 0x7fffffff) == largest) { extreme = x[i]; break; }
    }
    float steps = largest == 0 || largest >= 0x7f800000 ? 0 : usable(-127 / extreme);
    float scale = largest >= 0x7f800000 ? float_of_bits(0x7fc00000) : steps != 0 ? 1 / steps : 0;
    for (long r = run; r < run + 8; r++, x += 32) {
        int8_t *q = group->q + 32 * r;
        if (steps != 0) fill_run(q, x, steps); else memset(q, 0, 32);
        group->scale[r] = scale;
        add_up(group, r);
    }
}

// -127 / m times m may come to a little more than 127 in rounding, never to 127.5: no q needs to be cut.
ORRERY_INLINE void quantize_row(orrery_row_format format, const float *x, long k, long m, activation_group *group) {
    for (long first = 0; first < k; first += GROUP, group += m) {
        long runs = (k - first < GROUP ? k - first : GROUP) / 32;
        if (runs < GROUP / 32) memset(group, 0, sizeof *group);
        if (is_super_block(format)) {
            for (long run = 0; run < runs; run += 8) quantize_block(x + first + 32 * run, group, run);
        } else {
            for (long run = 0; run < runs; run++) quantize_run(x + first + 32 * run, group, run);
        }
    }
}

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2
static void quantize_row_avx2(orrery_row_format format, const float *x, long k, long m, activation_group *group) {
    quantize_row(format, x, k, m, group);
}
ORRERY_END
#endif

void orrery_quantize_activations(
    orrery_row_format format, orrery_row_path path, const float *x, long stride, long k, long m, long first,
    long count, void *groups) {
    for (long row = first; row < first + count; row++) {
        activation_group *group = (activation_group *)groups + row;
        const float *from = x + row * stride;
        switch (path) {
#if defined(__x86_64__)
        case ORRERY_ROWS_AVX2: quantize_row_avx2(format, from, k, m, group); break;
        case ORRERY_ROWS_VNNI: orrery_quantize_row_vnni(format, from, k, m, group); break;
#endif
        default: quantize_row(format, from, k, m, group);
        }
    }
}

void orrery_decode_activations(
    orrery_row_format format, orrery_row_path path, const void *groups, long k, long m, long row, float *x) {
    (void)format;
    for (long i = 0; i < k; i++) {
        const activation_group *group = (const activation_group *)groups + i / GROUP * m + row;
        long run = i % GROUP / 32, element = i % 32;
        long place = path == ORRERY_ROWS_VNNI ? element / 4 * 64 + run * 4 + element % 4 : i % GROUP;
        x[i] = group->scale[run] * group->q[place];
    }
}

// Steps of optimizers over arrays of parameters, and what else training does to all of its numbers at once.
//
// All of them go through their arrays once, element by element. An element's bits depend on that element alone, sums
// excepted: an array may be cut anywhere, and its parts given to several threads.
#pragma once

#include <stdint.h>

// The numbers of a step; what is not used by one of them is not listed there.
typedef struct {
    float rate;       // learning rate
    float momentum;   // v = momentum v + share g
    float share;      // 1 - dampening
    float decay;      // g + decay w is the gradient
    int is_nesterov;  // the step is g + momentum v rather than v
    int is_first;     // v = g
} orrery_sgd_rule;

// m += (g - m) share1, v = beta2 v + share2 g², w = keep w - size m / (√v / root + epsilon).
typedef struct {
    float size;            // rate / (1 - beta1^t)
    float root;            // √(1 - beta2^t)
    float epsilon;
    float share1;          // 1 - beta1
    float beta2, share2;   // share2 = 1 - beta2
    float decay;           // g + decay w is the gradient (Adam)
    float keep;            // 1 - rate · weight decay (AdamW)
} orrery_adam_rule;

// w = keep w - rate sign(m + (g - m) share1), m += (g - m) share2.
typedef struct {
    float rate;
    float share1;  // 1 - beta1
    float share2;  // 1 - beta2
    float keep;    // 1 - rate · weight decay
} orrery_lion_rule;

// `velocity` is null where momentum is 0.
void orrery_sgd_step_portable(
    const orrery_sgd_rule *rule, float *weights, const float *gradient, float *velocity, long count);
void orrery_adam_step_portable(
    const orrery_adam_rule *rule, float *weights, const float *gradient, float *first, float *second, long count);
void orrery_lion_step_portable(
    const orrery_lion_rule *rule, float *weights, const float *gradient, float *momentum, long count);

// y += (x - y) share: moving averages.
void orrery_move_toward_portable(float share, const float *x, float *y, long count);

// y = x, each number rounded to the nearest bfloat16, ties to even. y may be x.
void orrery_round_bf16_portable(const float *x, float *y, long count);

// Σ x², and Σ (x - y)², in float64. Element i is added to sum i mod 32, and the 32 sums are added by halves: the bits
// are the same on every path.
double orrery_sum_of_squares_portable(const float *x, long count);
double orrery_sum_of_squared_differences_portable(const float *x, const float *y, long count);

#if defined(__x86_64__)
void orrery_sgd_step_avx512(
    const orrery_sgd_rule *rule, float *weights, const float *gradient, float *velocity, long count);
void orrery_adam_step_avx512(
    const orrery_adam_rule *rule, float *weights, const float *gradient, float *first, float *second, long count);
void orrery_lion_step_avx512(
    const orrery_lion_rule *rule, float *weights, const float *gradient, float *momentum, long count);
void orrery_move_toward_avx512(float share, const float *x, float *y, long count);
void orrery_round_bf16_avx512(const float *x, float *y, long count);
double orrery_sum_of_squares_avx512(const float *x, long count);
double orrery_sum_of_squared_differences_avx512(const float *x, const float *y, long count);
#endif

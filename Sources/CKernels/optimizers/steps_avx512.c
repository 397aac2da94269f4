// Steps of optimizers, sixteen numbers at once.
//
// A step reads and writes each array once and does little with it: memory is the limit as soon as the arrays leave the
// second-level cache, and the division and the root of Adam before that.
#include "optimizer_steps.h"

#include "../instruction_sets.h"
#include "../rows/lanes_avx512.h"

#if defined(__x86_64__)

ORRERY_BEGIN_AVX512

// The last vector is masked: lanes beyond the end are 0 and stay unwritten.
#define STEPS(vector, ...)                                                                                             \
    long i = 0;                                                                                                        \
    for (; i + 16 <= count; i += 16) vector(&by, __VA_ARGS__, 0xffff);                                                 \
    if (i < count) vector(&by, __VA_ARGS__, lanes_from(i, count));

typedef struct {
    __m512 rate, momentum, share, decay;
    int is_nesterov, is_first;
} sgd_vectors;

ORRERY_INLINE void sgd_vector(
    const sgd_vectors *by, float *weights, const float *gradient, float *velocity, __mmask16 lanes) {
    __m512 w = _mm512_maskz_loadu_ps(lanes, weights);
    __m512 g = _mm512_fmadd_ps(by->decay, w, _mm512_maskz_loadu_ps(lanes, gradient));
    __m512 step = g;
    if (velocity) {
        __m512 v = g;
        if (!by->is_first) {
            v = _mm512_fmadd_ps(
                by->momentum, _mm512_maskz_loadu_ps(lanes, velocity), _mm512_mul_ps(by->share, g));
        }
        _mm512_mask_storeu_ps(velocity, lanes, v);
        step = by->is_nesterov ? _mm512_fmadd_ps(by->momentum, v, g) : v;
    }
    _mm512_mask_storeu_ps(weights, lanes, _mm512_fnmadd_ps(by->rate, step, w));
}

void orrery_sgd_step_avx512(
    const orrery_sgd_rule *rule, float *weights, const float *gradient, float *velocity, long count) {
    sgd_vectors by = {
        _mm512_set1_ps(rule->rate), _mm512_set1_ps(rule->momentum), _mm512_set1_ps(rule->share),
        _mm512_set1_ps(rule->decay), rule->is_nesterov, rule->is_first};
    if (velocity) {
        STEPS(sgd_vector, weights + i, gradient + i, velocity + i)
    } else {
        STEPS(sgd_vector, weights + i, gradient + i, 0)
    }
}

typedef struct {
    __m512 size, root, epsilon, share1, beta2, share2, decay, keep;
} adam_vectors;

ORRERY_INLINE void adam_vector(
    const adam_vectors *by, float *weights, const float *gradient, float *first, float *second, __mmask16 lanes) {
    __m512 w = _mm512_maskz_loadu_ps(lanes, weights);
    __m512 g = _mm512_fmadd_ps(by->decay, w, _mm512_maskz_loadu_ps(lanes, gradient));
    __m512 m = _mm512_maskz_loadu_ps(lanes, first), v = _mm512_maskz_loadu_ps(lanes, second);
    m = _mm512_fmadd_ps(_mm512_sub_ps(g, m), by->share1, m);
    v = _mm512_fmadd_ps(_mm512_mul_ps(by->share2, g), g, _mm512_mul_ps(by->beta2, v));
    _mm512_mask_storeu_ps(first, lanes, m);
    _mm512_mask_storeu_ps(second, lanes, v);
    // m / (√v / root + epsilon) with one division: both sides times root.
    __m512 below = _mm512_fmadd_ps(by->epsilon, by->root, _mm512_sqrt_ps(v));
    __m512 step = _mm512_div_ps(_mm512_mul_ps(by->size, m), below);
    _mm512_mask_storeu_ps(weights, lanes, _mm512_fmsub_ps(by->keep, w, step));
}

void orrery_adam_step_avx512(
    const orrery_adam_rule *rule, float *weights, const float *gradient, float *first, float *second, long count) {
    adam_vectors by = {
        _mm512_set1_ps(rule->size * rule->root), _mm512_set1_ps(rule->root), _mm512_set1_ps(rule->epsilon),
        _mm512_set1_ps(rule->share1), _mm512_set1_ps(rule->beta2), _mm512_set1_ps(rule->share2),
        _mm512_set1_ps(rule->decay), _mm512_set1_ps(rule->keep)};
    STEPS(adam_vector, weights + i, gradient + i, first + i, second + i)
}

typedef struct {
    __m512 rate, share1, share2, keep;
} lion_vectors;

ORRERY_INLINE void lion_vector(
    const lion_vectors *by, float *weights, const float *gradient, float *momentum, __mmask16 lanes) {
    __m512 w = _mm512_maskz_loadu_ps(lanes, weights), m = _mm512_maskz_loadu_ps(lanes, momentum);
    __m512 change = _mm512_sub_ps(_mm512_maskz_loadu_ps(lanes, gradient), m);
    __m512 direction = _mm512_fmadd_ps(change, by->share1, m), zero = _mm512_setzero_ps();
    __m512 step = _mm512_mul_ps(direction, zero); // 0, or NaN
    step = _mm512_mask_mov_ps(step, _mm512_cmp_ps_mask(direction, zero, _CMP_GT_OQ), by->rate);
    step = _mm512_mask_sub_ps(step, _mm512_cmp_ps_mask(direction, zero, _CMP_LT_OQ), zero, by->rate);
    _mm512_mask_storeu_ps(weights, lanes, _mm512_fmsub_ps(by->keep, w, step));
    _mm512_mask_storeu_ps(momentum, lanes, _mm512_fmadd_ps(change, by->share2, m));
}

void orrery_lion_step_avx512(
    const orrery_lion_rule *rule, float *weights, const float *gradient, float *momentum, long count) {
    lion_vectors by = {
        _mm512_set1_ps(rule->rate), _mm512_set1_ps(rule->share1), _mm512_set1_ps(rule->share2),
        _mm512_set1_ps(rule->keep)};
    STEPS(lion_vector, weights + i, gradient + i, momentum + i)
}

ORRERY_END

#endif

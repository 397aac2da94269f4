// Steps of optimizers, one number at a time.
#include "optimizer_steps.h"

#include <math.h>

void orrery_sgd_step_portable(
    const orrery_sgd_rule *rule, float *weights, const float *gradient, float *velocity, long count) {
    const orrery_sgd_rule by = *rule;
    for (long i = 0; i < count; i++) {
        float g = gradient[i] + by.decay * weights[i];
        float step = g;
        if (velocity) {
            velocity[i] = by.is_first ? g : by.momentum * velocity[i] + by.share * g;
            step = by.is_nesterov ? g + by.momentum * velocity[i] : velocity[i];
        }
        weights[i] -= by.rate * step;
    }
}

void orrery_adam_step_portable(
    const orrery_adam_rule *rule, float *weights, const float *gradient, float *first, float *second, long count) {
    const orrery_adam_rule by = *rule;
    for (long i = 0; i < count; i++) {
        float g = gradient[i] + by.decay * weights[i];
        float m = first[i] + (g - first[i]) * by.share1;
        float v = by.beta2 * second[i] + by.share2 * g * g;
        first[i] = m;
        second[i] = v;
        weights[i] = by.keep * weights[i] - by.size * (m / (sqrtf(v) / by.root + by.epsilon));
    }
}

void orrery_lion_step_portable(
    const orrery_lion_rule *rule, float *weights, const float *gradient, float *momentum, long count) {
    const orrery_lion_rule by = *rule;
    for (long i = 0; i < count; i++) {
        float change = gradient[i] - momentum[i];
        float direction = momentum[i] + change * by.share1;
        float step = direction > 0 ? by.rate : direction < 0 ? -by.rate : direction * 0; // 0, or NaN
        weights[i] = by.keep * weights[i] - step;
        momentum[i] += change * by.share2;
    }
}

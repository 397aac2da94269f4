// Rotary position embedding, one pair at a time.
#include "elementwise.h"

void orrery_rotate_halves_portable(
    float *x, long heads, long head_width, long pairs, const float *cosines, const float *sines) {
    for (; heads > 0; heads--, x += head_width) {
        for (long i = 0; i < pairs; i++) {
            float a = x[i], b = x[i + pairs];
            x[i] = a * cosines[i] - b * sines[i];
            x[i + pairs] = b * cosines[i] + a * sines[i];
        }
    }
}

void orrery_rotate_adjacent_portable(
    float *x, long heads, long head_width, long pairs, const float *cosines, const float *sines) {
    for (; heads > 0; heads--, x += head_width) {
        for (long i = 0; i < pairs; i++) {
            float a = x[2 * i], b = x[2 * i + 1];
            x[2 * i] = a * cosines[i] - b * sines[i];
            x[2 * i + 1] = b * cosines[i] + a * sines[i];
        }
    }
}

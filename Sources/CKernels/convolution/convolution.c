// Hands a chunk of a convolution to its path.
#include "paths.h"

#include <string.h>

// A path that this processor cannot take here falls back to one that it can.
static int is_direct(int path) {
#if defined(__x86_64__)
    return path == ORRERY_CONVOLUTION_DIRECT;
#else
    (void)path;
    return 0;
#endif
}

int orrery_convolution_forward(
    int path, const orrery_convolution *s, const float *x, const float *weights, const float *bias, float *y,
    long chunk) {
    range images = part_of(s->batch, orrery_convolution_chunks(s), chunk);
    x += images.start * image_size(s);
    y += images.start * result_size(s);
#if defined(__x86_64__)
    if (is_direct(path)) return orrery_convolution_forward_direct(s, images, x, weights, bias, y);
#endif
    return orrery_convolution_forward_columns(path, s, images, x, weights, bias, y);
}

int orrery_convolution_input_gradient(
    int path, const orrery_convolution *s, const float *weights, const float *y_gradient, float *x_gradient,
    long chunk) {
    range images = part_of(s->batch, orrery_convolution_chunks(s), chunk);
    y_gradient += images.start * result_size(s);
    x_gradient += images.start * image_size(s);
#if defined(__x86_64__)
    if (is_direct(path)) return orrery_convolution_input_gradient_direct(s, images, weights, y_gradient, x_gradient);
#endif
    return orrery_convolution_input_gradient_columns(path, s, images, weights, y_gradient, x_gradient);
}

// The gradient of the bias: the sum over the places of each output, image by image.
static void add_bias_gradient(const shape *s, range images, range outputs, const float *y_gradient, float *bias) {
    const long places = s->out_rows * s->out_columns;
    for (long n = 0; n < images.count; n++) {
        for (long g = 0; g < s->groups; g++) {
            for (long o = outputs.start; o < outputs.start + outputs.count; o++) {
                const float *plane = y_gradient + n * result_size(s) + (g * s->outputs + o) * places;
                float sums[16] = {0}, rest = 0;
                long p = 0;
                for (; p + 16 <= places; p += 16) {
                    for (int i = 0; i < 16; i++) sums[i] += plane[p + i];
                }
                for (; p < places; p++) rest += plane[p];
                for (int half = 8; half > 0; half /= 2) {
                    for (int i = 0; i < half; i++) sums[i] += sums[i + half];
                }
                bias[g * s->outputs + o] += sums[0] + rest;
            }
        }
    }
}

int orrery_convolution_weight_gradient(
    int path, const orrery_convolution *s, const float *x, const float *y_gradient, float *parts, long chunk) {
    weight_cut cut = weight_cut_of(s);
    const long image_part = chunk / cut.output_parts, taps = taps_of(s);
    range images = part_of(s->batch, cut.image_parts, image_part);
    range outputs = part_of(s->outputs, cut.output_parts, chunk % cut.output_parts);
    float *part = parts + image_part * (weights_of(s) + s->groups * s->outputs), *bias = part + weights_of(s);
    x += images.start * image_size(s);
    y_gradient += images.start * result_size(s);
    for (long g = 0; g < s->groups; g++) {
        long first = g * s->outputs + outputs.start;
        memset(part + first * taps, 0, outputs.count * taps * sizeof(float));
        memset(bias + first, 0, outputs.count * sizeof(float));
    }
    add_bias_gradient(s, images, outputs, y_gradient, bias);
#if defined(__x86_64__)
    if (is_direct(path)) return orrery_convolution_weight_gradient_direct(s, images, outputs, x, y_gradient, part);
#endif
    return orrery_convolution_weight_gradient_columns(path, s, images, outputs, x, y_gradient, part);
}

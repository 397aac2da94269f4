// What a path of the convolution consists of. Images are those of one chunk; `outputs` of the weights' gradient are
// counted within a group.
#pragma once

#include "geometry.h"

int orrery_convolution_forward_direct(
    const shape *s, range images, const float *x, const float *weights, const float *bias, float *y);
int orrery_convolution_input_gradient_direct(
    const shape *s, range images, const float *weights, const float *y_gradient, float *x_gradient);
int orrery_convolution_weight_gradient_direct(
    const shape *s, range images, range outputs, const float *x, const float *y_gradient, float *part);

int orrery_convolution_forward_columns(
    int path, const shape *s, range images, const float *x, const float *weights, const float *bias, float *y);
int orrery_convolution_input_gradient_columns(
    int path, const shape *s, range images, const float *weights, const float *y_gradient, float *x_gradient);
int orrery_convolution_weight_gradient_columns(
    int path, const shape *s, range images, range outputs, const float *x, const float *y_gradient, float *part);

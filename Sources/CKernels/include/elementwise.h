// What a model does to numbers one by one between its matrix products. Input and output may be the same array.
#pragma once

// y[i] = f(x[i]), times factor[i] where there is a factor: the gated feed-forward. Each f is within 1.3e-7 max(1, |x|)
// of its formula, and relu is exact.
//
//   silu       x / (1 + e^-x)
//   gelu_tanh  x / 2 (1 + tanh(√(2/π) (x + 0.044715 x³)))
//   gelu       x / 2 (1 + erf(x / √2))
//   relu       max(x, 0)
void orrery_silu_portable(const float *x, const float *factor, float *y, long count);
void orrery_gelu_tanh_portable(const float *x, const float *factor, float *y, long count);
void orrery_gelu_portable(const float *x, const float *factor, float *y, long count);
void orrery_relu_portable(const float *x, const float *factor, float *y, long count);

// y += x.
void orrery_add_portable(const float *x, float *y, long count);
// y += factor * x, in one rounding where the processor can.
void orrery_add_scaled_portable(float factor, const float *x, float *y, long count);
// x *= factor.
void orrery_scale_portable(float factor, float *x, long count);
// x = cap tanh(x / cap), within 2.5e-7 of it, relative.
void orrery_softcap_portable(float cap, float *x, long count);
// The first index of the largest number; NaN counts as smaller than any, and 0 is the answer where nothing is larger
// than -inf.
long orrery_argmax_portable(const float *x, long count);

// Rotary position embedding of the heads of one token: x[heads, head_width], of which the first 2 · pairs numbers of
// each head turn by the angles whose cosines and sines are given, and the rest stays.
//
//   halves    (x[i], x[i + pairs])     = (x[i] cos - x[i + pairs] sin, x[i + pairs] cos + x[i] sin)
//   adjacent  (x[2i], x[2i + 1])       = the same
void orrery_rotate_halves_portable(
    float *x, long heads, long head_width, long pairs, const float *cosines, const float *sines);
void orrery_rotate_adjacent_portable(
    float *x, long heads, long head_width, long pairs, const float *cosines, const float *sines);

#if defined(__x86_64__)
void orrery_silu_avx512(const float *x, const float *factor, float *y, long count);
void orrery_gelu_tanh_avx512(const float *x, const float *factor, float *y, long count);
void orrery_gelu_avx512(const float *x, const float *factor, float *y, long count);
void orrery_relu_avx512(const float *x, const float *factor, float *y, long count);
void orrery_add_avx512(const float *x, float *y, long count);
void orrery_add_scaled_avx512(float factor, const float *x, float *y, long count);
void orrery_scale_avx512(float factor, float *x, long count);
void orrery_softcap_avx512(float cap, float *x, long count);
long orrery_argmax_avx512(const float *x, long count);
void orrery_rotate_halves_avx512(
    float *x, long heads, long head_width, long pairs, const float *cosines, const float *sines);
void orrery_rotate_adjacent_avx512(
    float *x, long heads, long head_width, long pairs, const float *cosines, const float *sines);
#endif

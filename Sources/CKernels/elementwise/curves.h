// The curves of the activations as minimax polynomials, for the scalar and the vector functions alike.
//
//   erfc(t) e^(t²) = 4 / (t + 2) P(s),   s = (t - 2) / (t + 2),   0 <= t
//
// With s between -1 and 1 one polynomial of degree 8 covers every t to 4e-8, and the tail of the error function keeps
// its digits: nothing is subtracted from 1.
//
//   tanh(y) = y + y³ Q(y²),   |y| <= 0.625;   beyond it 1 - 2 / (e^2|y| + 1) with the sign of y
//
// Q has degree 4 and the relative error of y³ Q is 2e-7, that of tanh 2e-8. Near 0 the exponential would lose digits.
#pragma once

// P, the highest power first.
#define ORRERY_ERFC_8 -0x1.e459c8p-14f
#define ORRERY_ERFC_7 -0x1.8c12c6p-13f
#define ORRERY_ERFC_6 0x1.86767cp-11f
#define ORRERY_ERFC_5 0x1.a5e7c4p-10f
#define ORRERY_ERFC_4 -0x1.5ffc16p-8f
#define ORRERY_ERFC_3 -0x1.2a7a4ap-7f
#define ORRERY_ERFC_2 0x1.1e2d48p-4f
#define ORRERY_ERFC_1 -0x1.5fd39p-3f
#define ORRERY_ERFC_0 0x1.058672p-2f

// Q, the highest power first.
#define ORRERY_TANH_4 -0x1.8c30d2p-8f
#define ORRERY_TANH_3 0x1.576ef2p-6f
#define ORRERY_TANH_2 -0x1.b9159ap-5f
#define ORRERY_TANH_1 0x1.110dd8p-3f
#define ORRERY_TANH_0 -0x1.555552p-2f
#define ORRERY_TANH_NEAR 0.625f

#define ORRERY_SQRT_HALF 0x1.6a09e6p-1f
// √(2/π), doubled: 1 + tanh(u) = 2 / (1 + e^-2u).
#define ORRERY_GELU_SLOPE 0x1.988454p+0f
#define ORRERY_GELU_CUBIC 0.044715f

// Weights of bf16 by vdpbf16ps: pairs of columns as they are in the file, 64 rows of W by 768 columns a panel, 96 KiB.
// The tile is the same as in dot_products/bf16_dot.c.
//
// Activations are rounded to bfloat16 once a call, as the weights once were; sums are in float32.
#include "panel_kernels.h"

#include "../include/dot_products.h"
#include "../instruction_sets.h"

#include <string.h>

#if defined(__x86_64__)
enum { WIDTH = 64, WORDS = 384, STEP = 32, COLUMNS_AT_ONCE = 8 * STEP };

ORRERY_BEGIN_AVX512_BF16
#include "transpose_words.h"

ORRERY_INLINE __mmask32 pairs(long left) { return left >= STEP ? 0xffffffff : (1u << left) - 1; }

// Up to 256 columns of a row of x, and zeros up to a multiple of 32.
static void round_row(const float *x, long count, uint16_t *to) {
    for (long k = 0; k < count; k += STEP) {
        __mmask32 inside = pairs(count - k);
        __m512 low = _mm512_maskz_loadu_ps((__mmask16)inside, x + k);
        __m512 high = _mm512_maskz_loadu_ps((__mmask16)(inside >> 16), x + k + 16);
        _mm512_storeu_si512(to + k, (__m512i)_mm512_cvtne2ps_pbh(high, low));
    }
}

static void pack_activations(const orrery_weight_product *p, span rows, span columns, void *to) {
    const orrery_dot_kernel *kernel = orrery_dot_kernel_of(ORRERY_BF16_DOT);
    uint16_t rounded[ROWS_OF_X * COLUMNS_AT_ONCE];
    uint32_t *words = to;
    for (long k = 0; k < columns.count; k += COLUMNS_AT_ONCE) {
        long count = columns.count - k < COLUMNS_AT_ONCE ? columns.count - k : COLUMNS_AT_ONCE;
        for (long i = 0; i < rows.count; i++) {
            const float *x = p->x + (rows.first + i) * p->x_row + columns.first + k;
            round_row(x, count, rounded + i * COLUMNS_AT_ONCE);
        }
        kernel->pack_a(rounded, COLUMNS_AT_ONCE, rows.count, count, words + k / 2 * ROWS_OF_X);
    }
}

// panel[word][row] of 64 rows; those beyond the matrix repeat the last one.
static void pack(const orrery_weight_product *p, span rows, span columns, void *panel) {
    for (long group = 0; group < rows.count; group += 16) {
        for (long k = 0; k < columns.count; k += STEP) {
            __m512i words[16];
            __mmask32 inside = pairs(columns.count - k);
            ORRERY_UNROLL for (int i = 0; i < 16; i++) {
                long row = group + i < rows.count ? group + i : rows.count - 1;
                const uint16_t *from = p->weights;
                from += (rows.first + row) * p->columns + columns.first + k;
                words[i] = _mm512_maskz_loadu_epi16(inside, from);
            }
            transpose_words(words);
            ORRERY_UNROLL for (int i = 0; i < 16; i++) {
                if (k + 2 * i < columns.count) {
                    _mm512_store_si512((uint32_t *)panel + (k / 2 + i) * WIDTH + group, words[i]);
                }
            }
        }
    }
}

// The last panel of the matrix may stick out of y: then the tile goes through memory of its own.
static void multiply_tile(
    const orrery_weight_product *p, const void *activations, span x_rows, span w_rows, span columns,
    const void *panel) {
    const orrery_dot_kernel *kernel = orrery_dot_kernel_of(ORRERY_BF16_DOT);
    long words = (columns.count + 1) / 2;
    int add = columns.first > 0;
    float *y = p->y + x_rows.first * p->y_row + w_rows.first;
    if (w_rows.count == WIDTH) {
        kernel->tile((int)x_rows.count, words, activations, panel, y, p->y_row, add);
        return;
    }
    _Alignas(64) float whole[ROWS_OF_X * WIDTH];
    kernel->tile((int)x_rows.count, words, activations, panel, whole, WIDTH, 0);
    for (long i = 0; i < x_rows.count; i++) {
        for (long j = 0; j < w_rows.count; j++) {
            float *to = y + i * p->y_row + j;
            *to = add ? *to + whole[i * WIDTH + j] : whole[i * WIDTH + j];
        }
    }
}

ORRERY_END

static const panel_layout layout = {
    .width = WIDTH, .depth = 2 * WORDS, .panel_bytes = sizeof(uint32_t) * WIDTH * WORDS, .panels = 4, .strips = 1,
    .activation_bytes = sizeof(uint32_t) * ROWS_OF_X * WORDS, .pack_activations = pack_activations, .pack = pack,
    .tile = multiply_tile,
};

const orrery_panel_kernel orrery_bf16_dot_panels = {.panels = &layout};
#endif

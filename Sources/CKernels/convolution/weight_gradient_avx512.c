// The gradient of a convolution's weights, without columns:
//
//   dw[o][tap] = Σ over images and places of dy[o][place] · plane[place + offset of the tap]
//
// A tile is 8 outputs by 3 taps, each with a vector of sums of its own: 11 loads and 24 multiply-adds for 16 places,
// over a few images at a time, so that the 8 planes of dy stay in the first-level cache while all taps pass over them.
// dy is copied to the width of the padded planes, with zeros between its rows.
#include "paths.h"

#include "../scratch.h"

#if defined(__x86_64__)

#include "planes_avx512.h"

enum { ROWS = 8, TAPS = 3 };

typedef struct {
    const float *planes, *gradients; // [image][channel], [image][output], padded
    long image_stride, gradient_stride, gradient_plane;
    long images, places;
} sums_over;

ORRERY_BEGIN_AVX512

// The sums of the lanes of each of eight vectors.
ORRERY_INLINE __m256 sums_of_lanes(const __m512 *eight) {
    __m256 half[8];
    ORRERY_UNROLL for (int i = 0; i < 8; i++) {
        half[i] = _mm256_add_ps(_mm512_castps512_ps256(eight[i]), _mm512_extractf32x8_ps(eight[i], 1));
    }
    __m256 a = _mm256_hadd_ps(_mm256_hadd_ps(half[0], half[1]), _mm256_hadd_ps(half[2], half[3]));
    __m256 b = _mm256_hadd_ps(_mm256_hadd_ps(half[4], half[5]), _mm256_hadd_ps(half[6], half[7]));
    __m256 low = _mm256_permute2f128_ps(a, b, 0x20), high = _mm256_permute2f128_ps(a, b, 0x31);
    return _mm256_add_ps(low, high);
}

// Adds the sums of `rows` outputs and `taps` taps to part[output][tap].
ORRERY_INLINE void tile(
    const sums_over *over, const int rows, const int taps, const float *gradients, const long *offsets, float *part,
    long part_row) {
    __m512 sums[TAPS * 8];
    ORRERY_UNROLL for (int i = 0; i < taps * 8; i++) sums[i] = _mm512_setzero_ps();
    for (long n = 0; n < over->images; n++) {
        const float *x[TAPS], *dy = gradients + n * over->gradient_stride;
        ORRERY_UNROLL for (int j = 0; j < taps; j++) x[j] = over->planes + n * over->image_stride + offsets[j];
        for (long p = 0; p < over->places; p += 16) {
            __m512 places[TAPS];
            ORRERY_UNROLL for (int j = 0; j < taps; j++) places[j] = _mm512_loadu_ps(x[j] + p);
            ORRERY_UNROLL for (int i = 0; i < rows; i++) {
                __m512 gradient = _mm512_loadu_ps(dy + i * over->gradient_plane + p);
                ORRERY_UNROLL for (int j = 0; j < taps; j++) {
                    sums[j * 8 + i] = _mm512_fmadd_ps(gradient, places[j], sums[j * 8 + i]);
                }
            }
        }
    }
    ORRERY_UNROLL for (int j = 0; j < taps; j++) {
        float of_rows[8];
        _mm256_storeu_ps(of_rows, sums_of_lanes(sums + j * 8));
        ORRERY_UNROLL for (int i = 0; i < rows; i++) part[i * part_row + j] += of_rows[i];
    }
}

typedef void tile_function(
    const sums_over *over, const float *gradients, const long *offsets, float *part, long part_row);

#define TILE(rows, taps)                                                                                               \
    static __attribute__((noinline)) void tile_##rows##_##taps(                                                        \
        const sums_over *over, const float *gradients, const long *offsets, float *part, long part_row) {              \
        tile(over, rows, taps, gradients, offsets, part, part_row);                                                    \
    }
#define TILES(rows) TILE(rows, 1) TILE(rows, 2) TILE(rows, 3)
#define ENTRY(rows) {tile_##rows##_1, tile_##rows##_2, tile_##rows##_3}

TILES(1) TILES(2) TILES(3) TILES(4) TILES(5) TILES(6) TILES(7) TILES(8)

static tile_function *const tiles[ROWS][TAPS] = {ENTRY(1), ENTRY(2), ENTRY(3), ENTRY(4),
                                                 ENTRY(5), ENTRY(6), ENTRY(7), ENTRY(8)};

// Images whose planes are worked on together: 8 padded planes of dy for each, at most 30 KiB, and 512 KiB of all.
static long images_at_once(const shape *s, const padded *x, const padded *dy, long outputs) {
    const long tile = ROWS * dy->size * (long)sizeof(float);
    const long all = (s->channels * x->size + outputs * dy->size) * (long)sizeof(float);
    return greatest(1, least((30l << 10) / tile, (512l << 10) / all));
}

int orrery_convolution_weight_gradient_direct(
    const shape *s, range images, range outputs, const float *x, const float *y_gradient, float *part) {
    const long taps = taps_of(s), plane = s->rows * s->columns, out_plane = s->out_rows * s->out_columns;
    const long width = s->columns + 2 * s->padding_columns;
    padded px = padded_plane(
        s->rows, s->columns, s->padding_rows, s->padding_columns, s->rows + 2 * s->padding_rows, width);
    padded py = padded_plane(s->out_rows, s->out_columns, 0, 0, s->out_rows, width);
    const long most = least(images.count, images_at_once(s, &px, &py, outputs.count));
    float *planes = orrery_scratch(ORRERY_SCRATCH_TILE, most * s->channels * px.size * sizeof(float));
    float *gradients = orrery_scratch(ORRERY_SCRATCH_B, most * outputs.count * py.size * sizeof(float));
    long *offsets = orrery_scratch(ORRERY_SCRATCH_A, taps * sizeof(long));
    if (!planes || !gradients || !offsets) return -1;
    write_offsets(s, s->channels, &px, offsets);
    for (long g = 0; g < s->groups; g++) {
        for (long first = 0; first < images.count; first += most) {
            const long count = least(most, images.count - first);
            for (long n = 0; n < count; n++) {
                const long image = (first + n) * s->groups + g;
                for (long c = 0; c < s->channels; c++) {
                    copy_plane(&px, x + (image * s->channels + c) * plane, planes + (n * s->channels + c) * px.size);
                }
                for (long o = 0; o < outputs.count; o++) {
                    const float *from = y_gradient + (image * s->outputs + outputs.start + o) * out_plane;
                    copy_plane(&py, from, gradients + (n * outputs.count + o) * py.size);
                }
            }
            sums_over over = {
                .planes = planes, .gradients = gradients, .image_stride = s->channels * px.size,
                .gradient_stride = outputs.count * py.size, .gradient_plane = py.size, .images = count,
                .places = (s->out_rows - 1) * width + s->out_columns,
            };
            for (long o = 0; o < outputs.count; o += ROWS) {
                for (long t = 0; t < taps; t += TAPS) {
                    float *to = part + (g * s->outputs + outputs.start + o) * taps + t;
                    tiles[least(ROWS, outputs.count - o) - 1][least(TAPS, taps - t) - 1](
                        &over, gradients + o * py.size, offsets + t, to, taps);
                }
            }
        }
    }
    return 0;
}

ORRERY_END

#endif

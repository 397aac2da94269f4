// Panels of weights in unsigned bytes, and the tile of vpdpbusd that reads them.
//
// A panel is 32 rows of W by 512 columns: 16 KiB of codes (w + zero, at most 255), which stay in the first-level cache
// while all of x passes. Step s of run r takes the bytes of columns 32r + 4s to 32r + 4s + 3 of each row, a lane a
// row. A tile of 6 x 32 holds 12 integer sums of a run, begun at -zero · Σx, and 12 sums of y: after eight steps the
// integers are converted, meet the scales of W (a lane each) and of x (one per row), and are added to y.
//
// Per run and vector of y that is 8 vpdpbusd and 2 multiplications: 80 % of what vpdpbusd alone could do. Minima take a
// third multiplication (73 %), scales by 16 a third and a fourth (67 %).
//
// The file that includes this one is between ORRERY_BEGIN_AVX512_VNNI and ORRERY_END and defines HALVES (scales by 16)
// and MINIMA (y = Σ (scale · code - minimum) · x) as 0 or 1, ZERO (0, 8, 32 or 128) and UNPACK_COLUMNS, and
// the function `unpack`, which takes that number of columns at a time.
#include "activation_runs.h"
#include "transpose_words.h"

enum { GROUPS = 2, PANEL_ROWS = 16 * GROUPS, PANEL_RUNS = 16, PANEL_COLUMNS = RUN * PANEL_RUNS };

typedef struct {
    uint8_t codes[PANEL_RUNS][RUN / 4][GROUPS][64];
    float scale[1 + HALVES][PANEL_RUNS][GROUPS][16];
    float minimum[MINIMA ? PANEL_RUNS : 1][GROUPS][16];
} weight_panel;

ORRERY_INLINE __m512i spread(const void *word) {
    int32_t bits;
    memcpy(&bits, word, 4);
    return _mm512_set1_epi32(bits);
}

ORRERY_INLINE void compute_tile(
    const int rows, const int groups, long runs, const weight_panel *panel, const activation_run *x, float *y,
    long y_row, __mmask16 inside, int add) {
    __m512 sum[ROWS_OF_X * GROUPS];
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int g = 0; g < groups; g++) {
            __mmask16 lanes = g == groups - 1 ? inside : 0xffff;
            sum[i * groups + g] = _mm512_maskz_loadu_ps(add ? lanes : 0, y + i * y_row + 16 * g);
        }
    }
    for (long r = 0; r < runs; r++, x++) {
        __m512i whole[ROWS_OF_X * GROUPS];
        ORRERY_UNROLL for (int s = 0; s < RUN / 4; s++) {
            if (s == 0 || (HALVES && s == 4)) {
                ORRERY_UNROLL for (int i = 0; i < rows; i++) {
                    ORRERY_UNROLL for (int g = 0; g < groups; g++) {
                        whole[i * groups + g] = ZERO ? spread(&x->start[s / 4][i]) : _mm512_setzero_si512();
                    }
                }
            }
            __m512i codes[GROUPS];
            ORRERY_UNROLL for (int g = 0; g < groups; g++) codes[g] = _mm512_load_si512(panel->codes[r][s][g]);
            ORRERY_UNROLL for (int i = 0; i < rows; i++) {
                __m512i four = spread(x->q[i] + 4 * s);
                ORRERY_UNROLL for (int g = 0; g < groups; g++) {
                    whole[i * groups + g] = _mm512_dpbusd_epi32(whole[i * groups + g], codes[g], four);
                }
            }
            if (s == 7 || (HALVES && s == 3)) {
                ORRERY_UNROLL for (int g = 0; g < groups; g++) {
                    __m512 scale = _mm512_load_ps(panel->scale[HALVES ? s / 4 : 0][r][g]);
                    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
                        __m512 scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(whole[i * groups + g]), scale);
                        sum[i * groups + g] = _mm512_fmadd_ps(scaled, _mm512_set1_ps(x->scale[i]), sum[i * groups + g]);
                    }
                }
            }
        }
        if (MINIMA) {
            ORRERY_UNROLL for (int g = 0; g < groups; g++) {
                __m512 minimum = _mm512_load_ps(panel->minimum[r][g]);
                ORRERY_UNROLL for (int i = 0; i < rows; i++) {
                    sum[i * groups + g] = _mm512_fnmadd_ps(minimum, _mm512_set1_ps(x->sum[i]), sum[i * groups + g]);
                }
            }
        }
    }
    ORRERY_UNROLL for (int i = 0; i < rows; i++) {
        ORRERY_UNROLL for (int g = 0; g < groups; g++) {
            __mmask16 lanes = g == groups - 1 ? inside : 0xffff;
            _mm512_mask_storeu_ps(y + i * y_row + 16 * g, lanes, sum[i * groups + g]);
        }
    }
}

// One function for each size of tile, so that its loops are unrolled and its sums stay in registers.
typedef void tile_function(
    long runs, const weight_panel *panel, const activation_run *x, float *y, long y_row, __mmask16 inside, int add);

#define TILE(rows, groups) \
    static __attribute__((noinline)) void tile_##rows##_##groups( \
        long runs, const weight_panel *panel, const activation_run *x, float *y, long y_row, __mmask16 inside, \
        int add) { \
        compute_tile(rows, groups, runs, panel, x, y, y_row, inside, add); \
    }
#define TILES_OF_WIDTH(groups) \
    TILE(1, groups) TILE(2, groups) TILE(3, groups) TILE(4, groups) TILE(5, groups) TILE(6, groups)

TILES_OF_WIDTH(1)
TILES_OF_WIDTH(2)
// [groups - 1][rows - 1]
static tile_function *const tiles[GROUPS][ROWS_OF_X] = {
    {tile_1_1, tile_2_1, tile_3_1, tile_4_1, tile_5_1, tile_6_1},
    {tile_1_2, tile_2_2, tile_3_2, tile_4_2, tile_5_2, tile_6_2},
};

static void multiply_tile(
    const orrery_weight_product *p, const void *activations, span x_rows, span w_rows, span columns,
    const void *panel) {
    long groups = (w_rows.count + 15) / 16, runs = (columns.count + RUN - 1) / RUN;
    __mmask16 inside = (__mmask16)(0xffffu >> (16 * groups - w_rows.count));
    float *y = p->y + x_rows.first * p->y_row + w_rows.first;
    tiles[groups - 1][x_rows.count - 1](runs, panel, activations, y, p->y_row, inside, columns.first > 0);
}

static void pack_activations(const orrery_weight_product *p, span rows, span columns, void *to) {
    orrery_pack_activation_runs(p, rows, columns, ZERO, HALVES, to);
}

// The codes and scales of 16 rows of W from row `row` on, which begin at `blocks` and lie `stride` bytes apart, into
// group `group` of a panel from run `run` on: UNPACK_COLUMNS of them.
static void unpack(
    const orrery_weight_product *p, long row, const uint8_t *blocks, long stride, weight_panel *panel, long run,
    int group);

// Packs groups of 16 rows. Where the group, or the row, ends early, what is there is copied first next to zeros: they
// are weights of zero, and no byte beyond the matrix is read.
static void pack(const orrery_weight_product *p, span rows, span columns, void *to) {
    long row_bytes = orrery_weight_offset(p->format, p->columns);
    long unpack_bytes = orrery_weight_offset(p->format, UNPACK_COLUMNS);
    for (int group = 0; 16 * group < rows.count; group++) {
        long first = rows.first + 16 * group, count = rows.count - 16 * group;
        const uint8_t *corner = (const uint8_t *)p->weights + first * row_bytes;
        for (long column = 0; column < columns.count; column += UNPACK_COLUMNS) {
            const uint8_t *blocks = corner + orrery_weight_offset(p->format, columns.first + column);
            long left = columns.count - column;
            if (count >= 16 && left >= UNPACK_COLUMNS) {
                unpack(p, first, blocks, row_bytes, to, column / RUN, group);
                continue;
            }
            uint8_t copy[16 * 256];
            long bytes = left < UNPACK_COLUMNS ? orrery_weight_offset(p->format, left) : unpack_bytes;
            memset(copy, 0, sizeof copy);
            for (long i = 0; i < 16 && i < count; i++) {
                memcpy(copy + i * unpack_bytes, blocks + i * row_bytes, (size_t)bytes);
            }
            unpack(p, first, copy, unpack_bytes, to, column / RUN, group);
        }
    }
}

static const panel_layout layout = {
    .width = PANEL_ROWS, .depth = PANEL_COLUMNS, .panel_bytes = sizeof(weight_panel), .panels = 1, .strips = 8,
    .activation_bytes = sizeof(activation_run[PANEL_RUNS]), .pack_activations = pack_activations, .pack = pack,
    .tile = multiply_tile,
};

// The peak of each arithmetic: a loop of one instruction over and over, on registers only.
//
// An instruction takes about 4 cycles and 2 of them start in a cycle, so at least 8 independent accumulators keep the
// units full; there are 16 (14 with AVX2, which has 16 registers in all and needs two for the factors). The factors are
// loaded rather than cleared: zeros would cost less power and promise a clock that no kernel sees.
#include "ceilings.h"

#include "../instruction_sets.h"
#include "processor.h"

#if defined(__x86_64__)

// Bits that are 0.75 and 0.001 as floats, and not special as any other type.
static const float factors[2][16] __attribute__((aligned(64))) = {
    {.75f, .75f, .75f, .75f, .75f, .75f, .75f, .75f, .75f, .75f, .75f, .75f, .75f, .75f, .75f, .75f},
    {.001f, .001f, .001f, .001f, .001f, .001f, .001f, .001f, .001f, .001f, .001f, .001f, .001f, .001f, .001f, .001f},
};

#define FOURTEEN(each) \
    each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10) each(11) each(12) each(13)
#define SIXTEEN(each) FOURTEEN(each) each(14) each(15)

#define CLEAR_ZMM(i) "vpxorq %%zmm" #i ", %%zmm" #i ", %%zmm" #i "\n\t"
#define CLEAR_YMM(i) "vpxor %%ymm" #i ", %%ymm" #i ", %%ymm" #i "\n\t"

// A function that runs `instruction` 16 times a turn on accumulators zmm0...zmm15.
#define LOOP_512(name, instruction) \
    static void name(long turns) { \
        __asm__ volatile( \
            "vmovups (%1), %%zmm16\n\t" \
            "vmovups 64(%1), %%zmm17\n\t" \
            SIXTEEN(CLEAR_ZMM) \
            ".p2align 6\n" \
            "1:\n\t" \
            SIXTEEN(instruction) \
            "dec %0\n\t" \
            "jnz 1b\n\t" \
            "vzeroupper" \
            : "+r"(turns) \
            : "r"(factors) \
            : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", \
              "xmm12", "xmm13", "xmm14", "xmm15", "xmm16", "xmm17", "memory", "cc"); \
    }

// The same 14 times a turn on ymm0...ymm13.
#define LOOP_256(name, instruction) \
    static void name(long turns) { \
        __asm__ volatile( \
            "vmovups (%1), %%ymm14\n\t" \
            "vmovups 64(%1), %%ymm15\n\t" \
            FOURTEEN(CLEAR_YMM) \
            ".p2align 6\n" \
            "1:\n\t" \
            FOURTEEN(instruction) \
            "dec %0\n\t" \
            "jnz 1b\n\t" \
            "vzeroupper" \
            : "+r"(turns) \
            : "r"(factors) \
            : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", \
              "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc"); \
    }

#define FMA_F32_512(i) "vfmadd231ps %%zmm16, %%zmm17, %%zmm" #i "\n\t"
#define FMA_F64_512(i) "vfmadd231pd %%zmm16, %%zmm17, %%zmm" #i "\n\t"
#define ADD_F32_512(i) "vaddps %%zmm17, %%zmm" #i ", %%zmm" #i "\n\t"
#define DOT_BF16_512(i) "vdpbf16ps %%zmm16, %%zmm17, %%zmm" #i "\n\t"
#define DOT_INT8_512(i) "vpdpbusd %%zmm16, %%zmm17, %%zmm" #i "\n\t"
#define FMA_F32_256(i) "vfmadd231ps %%ymm14, %%ymm15, %%ymm" #i "\n\t"
#define FMA_F64_256(i) "vfmadd231pd %%ymm14, %%ymm15, %%ymm" #i "\n\t"
#define ADD_F32_256(i) "vaddps %%ymm15, %%ymm" #i ", %%ymm" #i "\n\t"

ORRERY_BEGIN_AVX512
LOOP_512(fma_f32_512, FMA_F32_512)
LOOP_512(fma_f64_512, FMA_F64_512)
LOOP_512(add_f32_512, ADD_F32_512)
ORRERY_END

ORRERY_BEGIN_AVX512_BF16
LOOP_512(dot_bf16_512, DOT_BF16_512)
ORRERY_END

ORRERY_BEGIN_AVX512_VNNI
LOOP_512(dot_int8_512, DOT_INT8_512)
ORRERY_END

ORRERY_BEGIN_AVX2
LOOP_256(fma_f32_256, FMA_F32_256)
LOOP_256(fma_f64_256, FMA_F64_256)
LOOP_256(add_f32_256, ADD_F32_256)
ORRERY_END

#endif

// What any compiler gives any processor: 128-bit vectors, multiplied and added, fused where that is the rule. The
// values tend to 1, and come from memory so that the compiler cannot know.
enum { PORTABLE_CHAINS = 12 };

static volatile double portable_start = 0.5, portable_scale = 0.999, portable_shift = 0.001;

#define PORTABLE_LOOP(name, type) \
    static void name(long turns) { \
        typedef type vector __attribute__((vector_size(16))); \
        const vector zero = {0}; \
        vector start = zero + (type)portable_start; \
        vector scale = zero + (type)portable_scale; \
        vector shift = zero + (type)portable_shift; \
        vector sum[PORTABLE_CHAINS]; \
        ORRERY_UNROLL for (int i = 0; i < PORTABLE_CHAINS; i++) sum[i] = start; \
        for (long turn = 0; turn < turns; turn++) { \
            ORRERY_UNROLL for (int i = 0; i < PORTABLE_CHAINS; i++) sum[i] = sum[i] * scale + shift; \
        } \
        ORRERY_UNROLL for (int i = 1; i < PORTABLE_CHAINS; i++) sum[0] += sum[i]; \
        volatile type result = sum[0][0]; \
        (void)result; \
    }

PORTABLE_LOOP(multiply_add_f32_portable, float)
PORTABLE_LOOP(multiply_add_f64_portable, double)

// A rotation waits for the previous one and takes one cycle on every processor of the last decades.
enum { CHAIN = 16 };

static void dependent_chain(long turns) {
    uint64_t value = 0x0123456789abcdef;
    for (long turn = 0; turn < turns; turn++) {
        ORRERY_UNROLL for (int i = 0; i < CHAIN; i++) {
            value = value >> 7 | value << 57;
            __asm__ volatile("" : "+r"(value));
        }
    }
}

static const orrery_compute_ceiling ceilings[] = {
#if defined(__x86_64__)
    {"FMA f32 AVX-512", ORRERY_AVX512, ORRERY_FLOAT32, 512, 16 * 16 * 2, fma_f32_512},
    {"FMA f32 AVX2", ORRERY_AVX2, ORRERY_FLOAT32, 256, 14 * 8 * 2, fma_f32_256},
    {"add f32 AVX-512", ORRERY_AVX512, ORRERY_FLOAT32, 512, 16 * 16, add_f32_512},
    {"add f32 AVX2", ORRERY_AVX2, ORRERY_FLOAT32, 256, 14 * 8, add_f32_256},
    {"FMA f64 AVX-512", ORRERY_AVX512, ORRERY_FLOAT64, 512, 16 * 8 * 2, fma_f64_512},
    {"FMA f64 AVX2", ORRERY_AVX2, ORRERY_FLOAT64, 256, 14 * 4 * 2, fma_f64_256},
    {"bf16 dot AVX-512", ORRERY_AVX512 | ORRERY_AVX512_BF16, ORRERY_BFLOAT16, 512, 16 * 32 * 2, dot_bf16_512},
    {"int8 dot AVX-512", ORRERY_AVX512 | ORRERY_AVX512_VNNI, ORRERY_INT8, 512, 16 * 64 * 2, dot_int8_512},
#endif
    {"multiply-add f32 portable", 0, ORRERY_FLOAT32, 128, PORTABLE_CHAINS * 4 * 2, multiply_add_f32_portable},
    {"multiply-add f64 portable", 0, ORRERY_FLOAT64, 128, PORTABLE_CHAINS * 2 * 2, multiply_add_f64_portable},
    {"clock", 0, ORRERY_CLOCK, 0, CHAIN, dependent_chain},
    {0, 0, 0, 0, 0, 0},
};

const orrery_compute_ceiling *orrery_compute_ceilings(void) { return ceilings; }

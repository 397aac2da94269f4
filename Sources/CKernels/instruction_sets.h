// Marks the functions between a BEGIN and the END with the instructions that they may use. The caller checks
// `orrery_processor_features` first: the package itself is built for the oldest processor of its kind.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#define ORRERY_BEGIN_(features) \
    _Pragma("clang attribute push") ORRERY_PRAGMA_(clang attribute (__attribute__((target(features))), apply_to = function))
#define ORRERY_PRAGMA_(text) _Pragma(#text)

#define ORRERY_BEGIN_AVX2 ORRERY_BEGIN_("avx2,fma,f16c")
#define ORRERY_BEGIN_AVX512 ORRERY_BEGIN_("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")
#define ORRERY_BEGIN_AVX512_VNNI ORRERY_BEGIN_("avx512vnni,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")
#define ORRERY_BEGIN_AVX512_BF16 ORRERY_BEGIN_("avx512bf16,avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c")
#define ORRERY_END _Pragma("clang attribute pop")
#endif

#define ORRERY_INLINE static inline __attribute__((always_inline))
#define ORRERY_UNROLL _Pragma("clang loop unroll(full)")

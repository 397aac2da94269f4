// The loops of encoding.h, once for each group of instructions.
#include "encoding.h"

ENCODING(portable)

#if defined(__x86_64__)
ORRERY_BEGIN_AVX2
ENCODING(avx2)
ORRERY_END

ORRERY_BEGIN_AVX512
ENCODING(avx512)
ORRERY_END
#endif

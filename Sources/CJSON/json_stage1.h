// The bit arithmetic of the first stage, for the files that find the bytes with SIMD.
//
// Each function works on a block of 64 bytes as a word of 64 bits, the first byte lowest.
#ifndef ORRERY_JSON_STAGE1_H
#define ORRERY_JSON_STAGE1_H

#include "json_internal.h"

/// What SIMD finds in a block.
typedef struct {
    uint64_t backslash;
    uint64_t quote;
    uint64_t control;    // below 0x20
    uint64_t structure;  // { } [ ] : ,
    uint64_t space;
} orrery_json_block;

/// What the second stage is told of a block.
typedef struct {
    uint64_t positions;
    uint64_t escaped;  // those of them that close a string with a backslash in it
} orrery_json_found;

/// Which bytes follow an odd number of backslashes.
///
/// A carry added at the first backslash of a run comes out behind its last. Runs that begin at even places are
/// added apart from those at odd ones; the run is odd if the carry comes out on the other parity.
static inline uint64_t orrery_json_escaped(uint64_t backslash, uint64_t *carry) {
    const uint64_t even = 0x5555555555555555u;
    uint64_t escaped = *carry;
    backslash &= ~escaped;
    uint64_t first = backslash & ~(backslash << 1);
    unsigned long long behind_odd;
    uint64_t behind_even = backslash + (first & even);
    *carry = __builtin_add_overflow((unsigned long long)backslash, (unsigned long long)(first & ~even), &behind_odd);
    return escaped | (behind_even & ~backslash & ~even) | (behind_odd & ~backslash & even);
}

/// Turns what stands in a block into what the second stage wants to know. `prefix_xor` makes of each bit the parity
/// of those up to it.
#define ORRERY_JSON_CLASSIFY(stage, block, prefix_xor, found)                                                    \
    do {                                                                                                         \
        uint64_t escaped_ = (stage)->escape;                                                                     \
        if ((block).backslash | escaped_)                                                                        \
            escaped_ = orrery_json_escaped((block).backslash, &(stage)->escape);                                 \
        uint64_t quote_ = (block).quote & ~escaped_;                                                             \
        /* Inside: with the opening quote, without the closing one. */                                           \
        uint64_t inside_ = prefix_xor(quote_) ^ (stage)->in_string;                                              \
        (stage)->in_string = (uint64_t)((int64_t)inside_ >> 63);                                                 \
        (stage)->wrong |= (block).control & inside_;                                                             \
        /* A carry added at each opening quote runs until the first backslash or the closing quote. */           \
        uint64_t plain_ = inside_ & ~(block).backslash;                                                          \
        unsigned long long sum_;                                                                                 \
        bool over_ = __builtin_add_overflow((unsigned long long)plain_,                                          \
                                            (unsigned long long)((quote_ & inside_) | (stage)->plain_string),    \
                                            &sum_);                                                              \
        (stage)->plain_string = over_;                                                                           \
        (found).escaped = quote_ & ~inside_ & ~(sum_ & ~plain_);                                                 \
        uint64_t scalar_ = ~((block).structure | (block).space | quote_);                                        \
        uint64_t first_ = scalar_ & ~(scalar_ << 1 | (stage)->scalar);                                           \
        (stage)->scalar = scalar_ >> 63;                                                                         \
        (found).positions = (((block).structure | first_) & ~inside_) | quote_;                                  \
    } while (0)

#endif

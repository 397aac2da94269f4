// Bit arithmetic of the first stage, for the files that classify bytes with SIMD.
//
// Each function represents a block of 64 bytes by words of 64 bits, with the first byte in the lowest bit.
#ifndef ORRERY_JSON_STAGE1_H
#define ORRERY_JSON_STAGE1_H

#include "json_internal.h"

/// Classes of bytes in a block, one bit per byte.
typedef struct {
    uint64_t backslash;
    uint64_t quote;
    uint64_t control;    // below 0x20
    uint64_t structure;  // { } [ ] : ,
    uint64_t space;
} orrery_json_block;

/// Result of the first stage for a block.
typedef struct {
    uint64_t positions;
    uint64_t escaped;  // positions that close a string with a backslash
} orrery_json_found;

/// Returns the bytes that follow an odd number of backslashes.
///
/// A carry added at the first backslash of a run comes out after the last one. Runs that start at even and at odd
/// positions are added separately; the length of a run is odd if the carry comes out at a position of the other parity.
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

/// Computes the positions for the second stage from the classes of bytes in a block. `prefix_xor` replaces each bit by
/// the parity of all bits up to and including it.
#define ORRERY_JSON_CLASSIFY(stage, block, prefix_xor, found)                                                    \
    do {                                                                                                         \
        uint64_t escaped_ = (stage)->escape;                                                                     \
        if ((block).backslash | escaped_)                                                                        \
            escaped_ = orrery_json_escaped((block).backslash, &(stage)->escape);                                 \
        uint64_t quote_ = (block).quote & ~escaped_;                                                             \
        /* The inside of a string includes the opening quote but not the closing one. */                         \
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

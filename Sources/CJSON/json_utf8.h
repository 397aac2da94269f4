// Tables of the UTF-8 check. Source: Keiser and Lemire, "Validating UTF-8 In Less Than One Instruction Per Byte"
// (Software: Practice and Experience 51, 2021).
//
// All errors except one are visible in 12 bits of two neighboring bytes: both nibbles of the first byte and the high
// nibble of the second. A table gives the possible errors for each nibble; an error is present if all three nibbles
// have it. The exception, a continuation after a continuation, has a separate bit, which must be set in long sequences
// and clear elsewhere.
#ifndef ORRERY_JSON_UTF8_H
#define ORRERY_JSON_UTF8_H

enum {
    TOO_SHORT = 1 << 0,       // a lead byte without a continuation
    TOO_LONG = 1 << 1,        // a continuation after ASCII
    OVERLONG_3 = 1 << 2,      // E0 80..9F
    TOO_LARGE = 1 << 3,       // F4 90..BF, or F5..FF 90..BF
    SURROGATE = 1 << 4,       // ED A0..BF
    OVERLONG_2 = 1 << 5,      // C0..C1 80..BF
    TOO_LARGE_80 = 1 << 6,    // F5..FF 80..8F
    OVERLONG_4 = 1 << 6,      // F0 80..8F; shares a bit, because the low nibble of the first byte differs
    CONTINUATIONS = 1 << 7,   // two continuations in a row
    ANY_FIRST = TOO_SHORT | TOO_LONG | CONTINUATIONS,
    LARGE = ANY_FIRST | TOO_LARGE | TOO_LARGE_80,
};

#define ORRERY_JSON_UTF8_FIRST_HIGH                                                                     \
    TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, (char)CONTINUATIONS, \
        (char)CONTINUATIONS, (char)CONTINUATIONS, (char)CONTINUATIONS, TOO_SHORT | OVERLONG_2, TOO_SHORT, \
        TOO_SHORT | OVERLONG_3 | SURROGATE, TOO_SHORT | TOO_LARGE | TOO_LARGE_80 | OVERLONG_4

#define ORRERY_JSON_UTF8_FIRST_LOW                                                                       \
    (char)(ANY_FIRST | OVERLONG_2 | OVERLONG_3 | OVERLONG_4), (char)(ANY_FIRST | OVERLONG_2), (char)ANY_FIRST, \
        (char)ANY_FIRST, (char)(ANY_FIRST | TOO_LARGE), (char)LARGE, (char)LARGE, (char)LARGE, (char)LARGE, \
        (char)LARGE, (char)LARGE, (char)LARGE, (char)LARGE, (char)(LARGE | SURROGATE), (char)LARGE, (char)LARGE

#define ORRERY_JSON_UTF8_SECOND_HIGH                                                                     \
    TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,              \
        (char)(TOO_LONG | OVERLONG_2 | CONTINUATIONS | OVERLONG_3 | TOO_LARGE_80 | OVERLONG_4),          \
        (char)(TOO_LONG | OVERLONG_2 | CONTINUATIONS | OVERLONG_3 | TOO_LARGE),                          \
        (char)(TOO_LONG | OVERLONG_2 | CONTINUATIONS | SURROGATE | TOO_LARGE),                           \
        (char)(TOO_LONG | OVERLONG_2 | CONTINUATIONS | SURROGATE | TOO_LARGE), TOO_SHORT, TOO_SHORT,     \
        TOO_SHORT, TOO_SHORT

#endif

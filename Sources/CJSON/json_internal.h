// Declarations shared by the parts of the parser.
#ifndef ORRERY_JSON_INTERNAL_H
#define ORRERY_JSON_INTERNAL_H

#include "CJSON.h"

#if defined(__x86_64__)
#define ORRERY_JSON_X86 1
#else
#define ORRERY_JSON_X86 0
#endif

#define ORRERY_JSON_LIKELY(x) __builtin_expect(!!(x), 1)
#define ORRERY_JSON_UNLIKELY(x) __builtin_expect(!!(x), 0)

/// Number of bytes indexed at a time, which limits the size of the index and keeps it in the faster caches.
#define ORRERY_JSON_WINDOW ((size_t)32768)
/// Bit of an index that marks the closing quote of a string with a backslash.
#define ORRERY_JSON_ESCAPED 0x80000000u

/// An open container: its entry, and the number of children completed before the latest child.
typedef struct {
    uint32_t entry;
    uint32_t count;
} orrery_json_open;

/// State of the first stage between blocks of 64 bytes.
typedef struct {
    const uint8_t *bytes;
    size_t length;
    size_t position;         // offset of the next block
    uint64_t in_string;      // all ones inside a string
    uint64_t plain_string;   // 1 inside a string without a backslash so far
    uint64_t escape;         // 1 if the first byte of the block is escaped
    uint64_t scalar;         // 1 if the last byte was part of a number, a literal, or invalid text
    uint64_t wrong;          // nonzero if a string has a control character or a byte is not UTF-8
    bool not_ascii;          // whether the last block had non-ASCII bytes
} orrery_json_stage1;

/// Indexes the next window: the offsets of brackets, colons, commas, both quotes of each string, and the first bytes of
/// other scalars, in order. Writes at most `ORRERY_JSON_WINDOW` offsets and may overwrite the next 64.
typedef size_t (*orrery_json_indexer)(orrery_json_stage1 *stage, uint32_t *indexes);

struct orrery_json_parser {
    orrery_json_entry *tape;
    size_t capacity;
    orrery_json_open *stack;
    uint32_t maximum_depth;
    uint32_t maximum_entries;
    uint32_t *indexes;
    enum orrery_json_variant variant;
    uint64_t disagreements;
};

/// Reserves memory for `needed` entries. Returns false if there is not enough memory.
bool orrery_json_reserve(orrery_json_parser *parser, size_t needed);

orrery_json_result orrery_json_parse_scalar(
    orrery_json_parser *parser, const uint8_t *bytes, size_t length, size_t start);

/// Walks the structure. Returns whether the text is valid, without the kind of error.
bool orrery_json_walk(orrery_json_parser *parser, orrery_json_stage1 *stage, orrery_json_indexer indexer,
                      uint32_t *count);

#if ORRERY_JSON_X86
size_t orrery_json_index_avx2(orrery_json_stage1 *stage, uint32_t *indexes);
size_t orrery_json_index_avx512(orrery_json_stage1 *stage, uint32_t *indexes);
#endif

/// Classes of bytes outside strings.
enum {
    ORRERY_JSON_SPACE = 1,      // space, tab, line feed, carriage return
    ORRERY_JSON_STRUCTURE = 2,  // { } [ ] : ,
    ORRERY_JSON_QUOTE = 4,
};
extern const uint8_t orrery_json_classes[256];

/// Checks the grammar of a number at `position` and that the next byte ends a scalar. Returns the offset past the
/// number, or 0 if it is invalid; `*fraction` becomes the flag for a fraction or an exponent.
static inline size_t orrery_json_number_end(const uint8_t *bytes, size_t length, size_t position, uint32_t *fraction) {
    size_t p = position;
    *fraction = 0;
    if (bytes[p] == '-' && ++p == length) return 0;
    if (bytes[p] == '0') {
        p++;
    } else {
        if ((uint8_t)(bytes[p] - '1') > 8) return 0;
        do p++; while (p < length && (uint8_t)(bytes[p] - '0') <= 9);
    }
    if (p < length && bytes[p] == '.') {
        *fraction = ORRERY_JSON_FLAG;
        size_t digits = ++p;
        while (p < length && (uint8_t)(bytes[p] - '0') <= 9) p++;
        if (p == digits) return 0;
    }
    if (p < length && (bytes[p] | 0x20) == 'e') {
        *fraction = ORRERY_JSON_FLAG;
        p++;
        if (p < length && (bytes[p] == '+' || bytes[p] == '-')) p++;
        size_t digits = p;
        while (p < length && (uint8_t)(bytes[p] - '0') <= 9) p++;
        if (p == digits) return 0;
    }
    if (p < length && orrery_json_classes[bytes[p]] == 0) return 0;
    return p;
}

#endif

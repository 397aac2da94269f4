// The JSON parser's C side: bytes in, one flat tape of value positions out.
//
// The design is that of Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (VLDB Journal 28, 2019):
// a first stage finds the structural positions of 64 bytes at a time with SIMD, a second stage walks those
// positions and checks the grammar. Unlike there, nothing is unescaped or converted: the tape holds where every
// value starts and ends, so that a reader can keep the raw bytes and pays only for what it asks for.
#ifndef ORRERY_CJSON_H
#define ORRERY_CJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The low three bits of an entry's `info`.
enum orrery_json_kind {
    ORRERY_JSON_NULL = 0,
    ORRERY_JSON_FALSE = 1,
    ORRERY_JSON_TRUE = 2,
    ORRERY_JSON_NUMBER = 3,
    ORRERY_JSON_STRING = 4,
    ORRERY_JSON_ARRAY = 5,
    ORRERY_JSON_OBJECT = 6,
};

/// Bit 3 of `info`: a string that contains a backslash, a number that has a fraction or an exponent.
#define ORRERY_JSON_FLAG 8u
/// Containers keep their number of children (members of an object, elements of an array) above this bit.
#define ORRERY_JSON_COUNT_SHIFT 4

/// The longest text that can be parsed: the most children that 28 bits can count need two bytes each.
#define ORRERY_JSON_MAXIMUM_LENGTH ((size_t)1 << 29)

/// One value. A container is followed by its children in order; an object's member is its key, then its value.
typedef struct {
    uint32_t start;  ///< Offset of the first byte: the brace, the quote, the sign.
    uint32_t end;    ///< Offset past the last byte.
    uint32_t skip;   ///< Entries from here to the next sibling: 1 for a scalar.
    uint32_t info;   ///< Kind, flag and count.
} orrery_json_entry;

enum orrery_json_problem {
    ORRERY_JSON_OK = 0,
    ORRERY_JSON_EMPTY,
    ORRERY_JSON_TOO_LARGE,
    ORRERY_JSON_TOO_DEEP,
    ORRERY_JSON_OUT_OF_MEMORY,
    ORRERY_JSON_UNEXPECTED_END,
    ORRERY_JSON_UNTERMINATED_STRING,
    ORRERY_JSON_CONTROL_CHARACTER,
    ORRERY_JSON_INVALID_UTF8,
    ORRERY_JSON_EXPECTED_VALUE,
    ORRERY_JSON_EXPECTED_KEY,
    ORRERY_JSON_EXPECTED_COLON,
    ORRERY_JSON_EXPECTED_COMMA_OR_BRACE,
    ORRERY_JSON_EXPECTED_COMMA_OR_BRACKET,
    ORRERY_JSON_INVALID_LITERAL,
    ORRERY_JSON_INVALID_NUMBER,
    ORRERY_JSON_TRAILING_TEXT,
    ORRERY_JSON_TOO_MANY_VALUES,
};

/// What a parser runs. The scalar one is portable, and decides what is wrong with a text that a fast one refuses.
enum orrery_json_variant {
    ORRERY_JSON_SCALAR = 0,
    ORRERY_JSON_AVX2 = 1,
    ORRERY_JSON_AVX512 = 2,
};

typedef struct orrery_json_parser orrery_json_parser;

typedef struct {
    const orrery_json_entry *tape;
    uint32_t count;    ///< Entries on the tape.
    uint32_t problem;  ///< An `orrery_json_problem`; the tape is valid only if it is ORRERY_JSON_OK.
    size_t offset;     ///< Where the problem is.
} orrery_json_result;

/// A parser that refuses nesting beyond `maximum_depth` and more than `maximum_entries` on its tape; NULL if there is
/// no memory.
orrery_json_parser *orrery_json_parser_create(uint32_t maximum_depth, uint32_t maximum_entries);
void orrery_json_parser_destroy(orrery_json_parser *parser);

/// Parses one value with white space around it. Reads nothing outside `bytes[0..<length]`.
/// The tape belongs to the parser and lives until its next parse.
orrery_json_result orrery_json_parse(orrery_json_parser *parser, const uint8_t *bytes, size_t length);

/// Gives back the tape's unused memory.
orrery_json_result orrery_json_parser_trim(orrery_json_parser *parser, orrery_json_result result);

/// The fastest variant that this processor runs.
enum orrery_json_variant orrery_json_best_variant(void);
/// Chooses the variant of one parser; false if this processor cannot run it.
bool orrery_json_parser_use(orrery_json_parser *parser, enum orrery_json_variant variant);
/// How often a fast variant refused a text that the scalar one accepted: 0, or the fast one is wrong.
uint64_t orrery_json_parser_disagreements(const orrery_json_parser *parser);

/// The most bytes that `orrery_json_unescape` writes for `length` raw bytes.
size_t orrery_json_unescaped_bound(size_t length);
/// Writes the text of a string's raw bytes (without quotes) and returns its length. A wrong escape or a lone
/// surrogate becomes U+FFFD. With `output` NULL it only counts.
size_t orrery_json_unescape(const uint8_t *bytes, size_t length, uint8_t *output);
/// Whether the unescaped text of `bytes` equals `text`.
bool orrery_json_unescaped_equals(const uint8_t *bytes, size_t length, const uint8_t *text, size_t text_length);

/// Reads a decimal integer that fills `bytes` exactly; false if it is none or does not fit.
bool orrery_json_signed(const uint8_t *bytes, size_t length, int64_t *value);
bool orrery_json_unsigned(const uint8_t *bytes, size_t length, uint64_t *value);
/// Reads a number of JSON's grammar if that is exact with one multiplication or division; false: ask a slower way.
bool orrery_json_double(const uint8_t *bytes, size_t length, double *value);

/// How far a search for the end of a value has come; all zero to begin. `quoted` and `escaped` say whether it
/// stands inside a string and behind a backslash, `depth` how many brackets are open.
typedef struct {
    int64_t depth;
    bool quoted;
    bool escaped;
} orrery_json_scan;

/// Follows brackets and strings from the first byte of a container until `depth` falls to zero.
/// Returns the offset past the closing bracket, or `length` + 1 if it is not in these bytes.
size_t orrery_json_scan_container(orrery_json_scan *scan, const uint8_t *bytes, size_t length);

/// The number of line feeds.
size_t orrery_json_count_lines(const uint8_t *bytes, size_t length);

#endif

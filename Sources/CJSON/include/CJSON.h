// The C part of the JSON parser, which turns bytes into a flat tape of value positions.
//
// The design is that of Langdale and Lemire, "Parsing Gigabytes of JSON per Second" (VLDB Journal 28, 2019): the first
// stage finds the structural positions of 64 bytes at a time with SIMD, and the second stage walks these positions and
// checks the grammar. Unlike their parser, this one unescapes and converts nothing: the tape has the start and the end
// of every value, so readers can keep the raw bytes and pay only for the values that they use.
#ifndef ORRERY_CJSON_H
#define ORRERY_CJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Kinds of values: the low three bits of an entry's `info`.
enum orrery_json_kind {
    ORRERY_JSON_NULL = 0,
    ORRERY_JSON_FALSE = 1,
    ORRERY_JSON_TRUE = 2,
    ORRERY_JSON_NUMBER = 3,
    ORRERY_JSON_STRING = 4,
    ORRERY_JSON_ARRAY = 5,
    ORRERY_JSON_OBJECT = 6,
};

/// Bit 3 of `info`: a string contains a backslash, or a number has a fraction or an exponent.
#define ORRERY_JSON_FLAG 8u
/// Position of the number of children (members of an object or elements of an array) in the `info` of a container.
#define ORRERY_JSON_COUNT_SHIFT 4

/// Maximum length of a text: the number of children has 28 bits, and each child takes at least two bytes.
#define ORRERY_JSON_MAXIMUM_LENGTH ((size_t)1 << 29)

/// A value. A container is followed by its children in order; a member of an object is its key and then its value.
typedef struct {
    uint32_t start;  ///< Offset of the first byte, such as the brace, the quote, or the sign.
    uint32_t end;    ///< Offset past the last byte.
    uint32_t skip;   ///< Number of entries to the next sibling: 1 for a scalar.
    uint32_t info;   ///< Kind, flag, and count.
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

/// Variants of the parser. The scalar variant is portable and finds the error in a text that a fast variant rejects.
enum orrery_json_variant {
    ORRERY_JSON_SCALAR = 0,
    ORRERY_JSON_AVX2 = 1,
    ORRERY_JSON_AVX512 = 2,
};

typedef struct orrery_json_parser orrery_json_parser;

typedef struct {
    const orrery_json_entry *tape;
    uint32_t count;    ///< Number of entries on the tape.
    uint32_t problem;  ///< An `orrery_json_problem`; the tape is valid only if this is ORRERY_JSON_OK.
    size_t offset;     ///< Offset of the problem.
} orrery_json_result;

/// Creates a parser that rejects nesting deeper than `maximum_depth` and texts with more than `maximum_entries` on the
/// tape. Returns NULL if there is not enough memory.
orrery_json_parser *orrery_json_parser_create(uint32_t maximum_depth, uint32_t maximum_entries);
void orrery_json_parser_destroy(orrery_json_parser *parser);

/// Parses one value; white space around it is allowed. Reads nothing outside `bytes[0..<length]`.
/// The tape belongs to the parser and is valid until its next parse.
orrery_json_result orrery_json_parse(orrery_json_parser *parser, const uint8_t *bytes, size_t length);

/// Frees the unused memory of the tape.
orrery_json_result orrery_json_parser_trim(orrery_json_parser *parser, orrery_json_result result);

/// Returns the fastest variant that the processor supports.
enum orrery_json_variant orrery_json_best_variant(void);
/// Selects the variant of a parser. Returns false if the processor does not support it.
bool orrery_json_parser_use(orrery_json_parser *parser, enum orrery_json_variant variant);
/// Returns the number of texts that a fast variant rejected and the scalar variant accepted; a value other than 0 is a
/// bug of the fast variant.
uint64_t orrery_json_parser_disagreements(const orrery_json_parser *parser);

/// Returns the maximum number of bytes that `orrery_json_unescape` writes for `length` raw bytes.
size_t orrery_json_unescaped_bound(size_t length);
/// Writes the text of a string's raw bytes (without quotes) and returns its length. Invalid escapes and lone surrogates
/// become U+FFFD. If `output` is NULL, the function only counts.
size_t orrery_json_unescape(const uint8_t *bytes, size_t length, uint8_t *output);
/// Returns whether the unescaped text of `bytes` equals `text`.
bool orrery_json_unescaped_equals(const uint8_t *bytes, size_t length, const uint8_t *text, size_t text_length);

/// Reads a decimal integer that spans all of `bytes`. Returns false if it is invalid or out of range.
bool orrery_json_signed(const uint8_t *bytes, size_t length, int64_t *value);
bool orrery_json_unsigned(const uint8_t *bytes, size_t length, uint64_t *value);
/// Reads a JSON number if one multiplication or division gives the exactly rounded value. Returns false if the number
/// needs a slower method.
bool orrery_json_double(const uint8_t *bytes, size_t length, double *value);

/// State of a search for the end of a value; initially all zero.
typedef struct {
    int64_t depth;  ///< Number of open brackets.
    bool quoted;    ///< Whether the position is inside a string.
    bool escaped;   ///< Whether the position follows a backslash.
} orrery_json_scan;

/// Follows brackets and strings from the first byte of a container until `depth` is 0.
/// Returns the offset past the closing bracket, or `length` + 1 if the bracket is not in these bytes.
size_t orrery_json_scan_container(orrery_json_scan *scan, const uint8_t *bytes, size_t length);

/// Returns the number of line feeds.
size_t orrery_json_count_lines(const uint8_t *bytes, size_t length);

#endif

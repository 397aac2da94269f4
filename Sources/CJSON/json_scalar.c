// The portable parser, which reads byte by byte. It is the reference for the fast variants and determines the error.
#include "json_internal.h"

#include <string.h>

/// Returns the length of the UTF-8 sequence at `p`, or 0 if it is not well-formed (Unicode 15, table 3-7).
static size_t sequence_length(const uint8_t *p, size_t left) {
    uint8_t lead = p[0];
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4) return 0;
    size_t n = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (left < n) return 0;
    uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high) return 0;
    for (size_t i = 2; i < n; i++)
        if ((p[i] & 0xC0) != 0x80) return 0;
    return n;
}

/// Reads the string that starts at `*position` and moves `*position` past it; `*escapes` becomes its flag.
/// If the string is invalid, `*position` becomes the offset of the problem.
static enum orrery_json_problem read_string(
    const uint8_t *bytes, size_t length, size_t *position, uint32_t *escapes) {
    size_t p = *position + 1;
    *escapes = 0;
    while (p < length) {
        uint8_t c = bytes[p];
        if (c == '"') {
            *position = p + 1;
            return ORRERY_JSON_OK;
        }
        if (c < 0x20) {
            *position = p;
            return ORRERY_JSON_CONTROL_CHARACTER;
        }
        if (c == '\\') {
            *escapes = ORRERY_JSON_FLAG;
            // The next byte is escaped, which affects the end of the string only for a quote or a backslash.
            if (p + 1 < length && (bytes[p + 1] == '"' || bytes[p + 1] == '\\')) p++;
            p++;
            continue;
        }
        size_t n = sequence_length(bytes + p, length - p);
        if (n == 0) {
            *position = p;
            return ORRERY_JSON_INVALID_UTF8;
        }
        p += n;
    }
    return ORRERY_JSON_UNTERMINATED_STRING;
}

static size_t skip_space(const uint8_t *bytes, size_t length, size_t p) {
    while (p < length && orrery_json_classes[bytes[p]] == ORRERY_JSON_SPACE) p++;
    return p;
}

/// Reads the number or literal at `*position` and moves `*position` past it.
static enum orrery_json_problem read_scalar(
    const uint8_t *bytes, size_t length, size_t *position, uint32_t *info) {
    static const struct {
        const char *text;
        size_t length;
        uint32_t kind;
    } literals[] = {{"null", 4, ORRERY_JSON_NULL}, {"false", 5, ORRERY_JSON_FALSE}, {"true", 4, ORRERY_JSON_TRUE}};
    size_t p = *position;
    uint8_t c = bytes[p];
    if (c == '-' || (uint8_t)(c - '0') <= 9) {
        uint32_t fraction;
        size_t end = orrery_json_number_end(bytes, length, p, &fraction);
        if (end == 0) return ORRERY_JSON_INVALID_NUMBER;
        *info = ORRERY_JSON_NUMBER | fraction;
        *position = end;
        return ORRERY_JSON_OK;
    }
    for (size_t i = 0; i < 3; i++) {
        if (c != (uint8_t)literals[i].text[0]) continue;
        size_t n = literals[i].length;
        if (length - p < n || memcmp(bytes + p, literals[i].text, n) != 0) return ORRERY_JSON_INVALID_LITERAL;
        if (p + n < length && orrery_json_classes[bytes[p + n]] == 0) return ORRERY_JSON_INVALID_LITERAL;
        *info = literals[i].kind;
        *position = p + n;
        return ORRERY_JSON_OK;
    }
    if (c >= 0x80 && sequence_length(bytes + p, length - p) == 0) return ORRERY_JSON_INVALID_UTF8;
    return ORRERY_JSON_EXPECTED_VALUE;
}

orrery_json_result orrery_json_parse_scalar(
    orrery_json_parser *parser, const uint8_t *bytes, size_t length, size_t start) {
#define FAIL(what, where) return (orrery_json_result){.problem = (what), .offset = (where)}
    size_t used = 0;
    uint32_t depth = 0;
    uint32_t escapes, info;
    enum orrery_json_problem problem;
    orrery_json_open *stack = parser->stack;
    size_t p = skip_space(bytes, length, start);
    if (p == length) FAIL(ORRERY_JSON_EMPTY, p);

    for (;;) {  // A value starts at p.
        if (p == length) FAIL(ORRERY_JSON_UNEXPECTED_END, p);
        if (used >= parser->maximum_entries) FAIL(ORRERY_JSON_TOO_MANY_VALUES, p);
        if (!orrery_json_reserve(parser, used + 2)) FAIL(ORRERY_JSON_OUT_OF_MEMORY, p);
        size_t first = p;
        uint8_t c = bytes[p];
        if (c == '{' || c == '[') {
            if (depth == parser->maximum_depth) FAIL(ORRERY_JSON_TOO_DEEP, p);
            bool object = c == '{';
            parser->tape[used] = (orrery_json_entry){
                (uint32_t)first, 0, 0, object ? ORRERY_JSON_OBJECT : ORRERY_JSON_ARRAY};
            stack[depth++] = (orrery_json_open){(uint32_t)used++, 0};
            p = skip_space(bytes, length, p + 1);
            if (p == length) FAIL(ORRERY_JSON_UNEXPECTED_END, p);
            if (bytes[p] != (object ? '}' : ']')) {
                if (object) goto key;
                continue;
            }
        } else {
            if (c == '"') {
                problem = read_string(bytes, length, &p, &escapes);
                info = ORRERY_JSON_STRING | escapes;
            } else {
                problem = read_scalar(bytes, length, &p, &info);
            }
            if (problem) FAIL(problem, p);
            parser->tape[used++] = (orrery_json_entry){(uint32_t)first, (uint32_t)p, 1, info};
            if (depth) stack[depth - 1].count++;
            p = skip_space(bytes, length, p);
        }

        for (;;) {  // A value has ended, or a container without children ends here.
            if (depth == 0) {
                if (p < length) FAIL(ORRERY_JSON_TRAILING_TEXT, p);
                return (orrery_json_result){.tape = parser->tape, .count = (uint32_t)used};
            }
            if (p == length) FAIL(ORRERY_JSON_UNEXPECTED_END, p);
            orrery_json_open *open = &stack[depth - 1];
            orrery_json_entry *entry = &parser->tape[open->entry];
            bool object = entry->info == ORRERY_JSON_OBJECT;
            if (bytes[p] == (object ? '}' : ']')) {
                entry->end = (uint32_t)p + 1;
                entry->skip = (uint32_t)used - open->entry;
                entry->info |= open->count << ORRERY_JSON_COUNT_SHIFT;
                depth--;
                if (depth) stack[depth - 1].count++;
                p = skip_space(bytes, length, p + 1);
                continue;
            }
            if (bytes[p] != ',')
                FAIL(object ? ORRERY_JSON_EXPECTED_COMMA_OR_BRACE : ORRERY_JSON_EXPECTED_COMMA_OR_BRACKET, p);
            p = skip_space(bytes, length, p + 1);
            if (object) goto key;
            break;
        }
        continue;

    key:
        if (p == length) FAIL(ORRERY_JSON_UNEXPECTED_END, p);
        if (bytes[p] != '"') FAIL(ORRERY_JSON_EXPECTED_KEY, p);
        if (used >= parser->maximum_entries) FAIL(ORRERY_JSON_TOO_MANY_VALUES, p);
        if (!orrery_json_reserve(parser, used + 2)) FAIL(ORRERY_JSON_OUT_OF_MEMORY, p);
        first = p;
        problem = read_string(bytes, length, &p, &escapes);
        if (problem) FAIL(problem, p);
        parser->tape[used++] =
            (orrery_json_entry){(uint32_t)first, (uint32_t)p, 1, ORRERY_JSON_STRING | escapes};
        p = skip_space(bytes, length, p);
        if (p == length) FAIL(ORRERY_JSON_UNEXPECTED_END, p);
        if (bytes[p] != ':') FAIL(ORRERY_JSON_EXPECTED_COLON, p);
        p = skip_space(bytes, length, p + 1);
    }
#undef FAIL
}

// The second stage, which walks the structural positions, checks the grammar, and writes the tape.
//
// The state is the position in this code, so that the branch predictor learns typical sequences. If the function
// returns false, the scalar parser determines the error.
#include "json_internal.h"

#include <string.h>

/// Returns whether the literal `text` is at `position` and the next byte ends a scalar.
static inline bool literal_at(const uint8_t *bytes, size_t length, size_t position, const char *text, size_t n) {
    if (length - position < n || memcmp(bytes + position, text, n) != 0) return false;
    return position + n == length || orrery_json_classes[bytes[position + n]] != 0;
}

/// Finds the positions of the next window that has any, and reserves entries for them: each position adds at most one
/// entry. Returns 0 at the end of the text, or if the window is invalid, in which case `wrong` is set.
static __attribute__((noinline)) size_t index_window(
    orrery_json_parser *parser, orrery_json_stage1 *stage, orrery_json_indexer indexer, size_t used) {
    while (stage->position < stage->length) {
        size_t found = indexer(stage, parser->indexes);
        if (stage->wrong) return 0;
        if (found == 0) continue;
        if (used <= parser->maximum_entries && orrery_json_reserve(parser, used + found + 1)) return found;
        stage->wrong = 1;
        return 0;
    }
    return 0;
}

bool orrery_json_walk(orrery_json_parser *parser, orrery_json_stage1 *stage, orrery_json_indexer indexer,
                      uint32_t *count) {
    const uint8_t *bytes = stage->bytes;
    const size_t length = stage->length;
    const uint32_t *next = parser->indexes, *last = parser->indexes;
    orrery_json_open *stack = parser->stack;
    orrery_json_entry *tape = parser->tape;
    size_t used = 0;
    uint32_t depth = 0;      // number of open containers
    uint32_t open = 0;       // entry of the innermost container
    uint32_t children = 0;   // number of its children so far
    uint32_t at, close;
    bool object = false;

#define TAKE(variable)                                                                            \
    do {                                                                                          \
        if (ORRERY_JSON_UNLIKELY(next == last)) {                                                 \
            size_t found = index_window(parser, stage, indexer, used);                            \
            if (found == 0) goto end;                                                             \
            tape = parser->tape;                                                                  \
            next = parser->indexes;                                                               \
            last = next + found;                                                                  \
        }                                                                                         \
        (variable) = *next++;                                                                     \
    } while (0)

#define WRITE(first, past, what)                                                                  \
    (tape[used++] = (orrery_json_entry){(first), (past), 1, (what)})

// Writes a string. The next position is its closing quote, with the top bit set if the string has a backslash.
#define STRING()                                                                                  \
    do {                                                                                          \
        TAKE(close);                                                                              \
        WRITE(at, (close & ~ORRERY_JSON_ESCAPED) + 1,                                             \
              ORRERY_JSON_STRING | (close >> 31) * ORRERY_JSON_FLAG);                             \
    } while (0)

#define SCALAR()                                                                                  \
    do {                                                                                          \
        uint32_t fraction;                                                                        \
        switch (bytes[at]) {                                                                      \
        case '"':                                                                                 \
            STRING();                                                                             \
            break;                                                                                \
        case 'n':                                                                                 \
            if (!literal_at(bytes, length, at, "null", 4)) return false;                          \
            WRITE(at, at + 4, ORRERY_JSON_NULL);                                                  \
            break;                                                                                \
        case 't':                                                                                 \
            if (!literal_at(bytes, length, at, "true", 4)) return false;                          \
            WRITE(at, at + 4, ORRERY_JSON_TRUE);                                                  \
            break;                                                                                \
        case 'f':                                                                                 \
            if (!literal_at(bytes, length, at, "false", 5)) return false;                         \
            WRITE(at, at + 5, ORRERY_JSON_FALSE);                                                 \
            break;                                                                                \
        default: {                                                                                \
            size_t past = orrery_json_number_end(bytes, length, at, &fraction);                   \
            if (past == 0) return false;                                                          \
            WRITE(at, (uint32_t)past, ORRERY_JSON_NUMBER | fraction);                             \
            break;                                                                                \
        }                                                                                         \
        }                                                                                         \
    } while (0)

    TAKE(at);
    if (bytes[at] == '{') goto open_object;
    if (bytes[at] == '[') goto open_array;
    SCALAR();
    goto finished;

open_object:
    if (depth == parser->maximum_depth) return false;
    stack[depth++] = (orrery_json_open){open, object ? ~children : children};
    open = (uint32_t)used;
    children = 0;
    object = true;
    tape[used++].start = at;
    TAKE(at);
    if (bytes[at] == '}') goto close_container;

member:
    if (bytes[at] != '"') return false;
    STRING();
    TAKE(at);
    if (bytes[at] != ':') return false;
    TAKE(at);
    children++;
    if (bytes[at] == '{') goto open_object;
    if (bytes[at] == '[') goto open_array;
    SCALAR();

after_member:
    TAKE(at);
    if (ORRERY_JSON_LIKELY(bytes[at] == ',')) {
        TAKE(at);
        goto member;
    }
    if (bytes[at] != '}') return false;
    goto close_container;

open_array:
    if (depth == parser->maximum_depth) return false;
    stack[depth++] = (orrery_json_open){open, object ? ~children : children};
    open = (uint32_t)used;
    children = 0;
    object = false;
    tape[used++].start = at;
    TAKE(at);
    if (bytes[at] == ']') goto close_container;

element:
    children++;
    if (bytes[at] == '{') goto open_object;
    if (bytes[at] == '[') goto open_array;
    SCALAR();

after_element:
    TAKE(at);
    if (ORRERY_JSON_LIKELY(bytes[at] == ',')) {
        TAKE(at);
        goto element;
    }
    if (bytes[at] != ']') return false;

close_container:
    tape[open].end = at + 1;
    tape[open].skip = (uint32_t)used - open;
    tape[open].info = (object ? ORRERY_JSON_OBJECT : ORRERY_JSON_ARRAY) | children << ORRERY_JSON_COUNT_SHIFT;
    depth--;
    open = stack[depth].entry;
    children = stack[depth].count;
    // The sign bit of the outer container's count stores its kind; the count itself has 28 bits.
    object = (int32_t)children < 0;
    if (object) {
        children = ~children;
        goto after_member;
    }
    if (depth) goto after_element;

finished:
    // No position may follow; TAKE jumps to `end` if there is none.
    TAKE(at);
    return false;

end:
    if (depth || used == 0 || stage->in_string || stage->wrong || used > parser->maximum_entries) return false;
    *count = (uint32_t)used;
    return true;

#undef TAKE
#undef WRITE
#undef STRING
#undef SCALAR
}

// Memory of the parser, and selection of its variant.
#include "json_internal.h"

#include <stdlib.h>

/// Maximum number of entries whose memory a parser keeps for smaller texts: 16 MiB.
#define RETAINED ((size_t)1 << 20)

const uint8_t orrery_json_classes[256] = {
    [' '] = ORRERY_JSON_SPACE,     ['\t'] = ORRERY_JSON_SPACE,    ['\n'] = ORRERY_JSON_SPACE,
    ['\r'] = ORRERY_JSON_SPACE,    ['{'] = ORRERY_JSON_STRUCTURE, ['}'] = ORRERY_JSON_STRUCTURE,
    ['['] = ORRERY_JSON_STRUCTURE, [']'] = ORRERY_JSON_STRUCTURE, [':'] = ORRERY_JSON_STRUCTURE,
    [','] = ORRERY_JSON_STRUCTURE, ['"'] = ORRERY_JSON_QUOTE,
};

orrery_json_parser *orrery_json_parser_create(uint32_t maximum_depth, uint32_t maximum_entries) {
    orrery_json_parser *parser = calloc(1, sizeof *parser);
    if (!parser) return NULL;
    parser->maximum_depth = maximum_depth;
    parser->maximum_entries = maximum_entries;
    parser->stack = malloc(((size_t)maximum_depth + 1) * sizeof *parser->stack);
    parser->indexes = malloc((ORRERY_JSON_WINDOW + 64) * sizeof *parser->indexes);
    if (!parser->stack || !parser->indexes || !orrery_json_reserve(parser, 1024)) {
        orrery_json_parser_destroy(parser);
        return NULL;
    }
    parser->variant = orrery_json_best_variant();
    return parser;
}

void orrery_json_parser_destroy(orrery_json_parser *parser) {
    if (!parser) return;
    free(parser->tape);
    free(parser->stack);
    free(parser->indexes);
    free(parser);
}

bool orrery_json_reserve(orrery_json_parser *parser, size_t needed) {
    if (needed <= parser->capacity) return true;
    size_t capacity = parser->capacity + parser->capacity / 2;
    if (capacity < needed) capacity = needed;
    orrery_json_entry *tape = realloc(parser->tape, capacity * sizeof *tape);
    if (!tape) return false;
    parser->tape = tape;
    parser->capacity = capacity;
    return true;
}

orrery_json_result orrery_json_parser_trim(orrery_json_parser *parser, orrery_json_result result) {
    if (result.count && result.count < parser->capacity) {
        orrery_json_entry *tape = realloc(parser->tape, result.count * sizeof *tape);
        if (tape) {
            parser->tape = tape;
            parser->capacity = result.count;
        }
    }
    result.tape = parser->tape;
    return result;
}

enum orrery_json_variant orrery_json_best_variant(void) {
#if ORRERY_JSON_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi2") &&
        __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("bmi2"))
        return ORRERY_JSON_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("bmi"))
        return ORRERY_JSON_AVX2;
#endif
    return ORRERY_JSON_SCALAR;
}

bool orrery_json_parser_use(orrery_json_parser *parser, enum orrery_json_variant variant) {
    if (variant > orrery_json_best_variant()) return false;
    parser->variant = variant;
    return true;
}

uint64_t orrery_json_parser_disagreements(const orrery_json_parser *parser) { return parser->disagreements; }

orrery_json_result orrery_json_parse(orrery_json_parser *parser, const uint8_t *bytes, size_t length) {
    if (length > ORRERY_JSON_MAXIMUM_LENGTH)
        return (orrery_json_result){.problem = ORRERY_JSON_TOO_LARGE, .offset = ORRERY_JSON_MAXIMUM_LENGTH};
    if (ORRERY_JSON_UNLIKELY(parser->capacity > RETAINED) && length < RETAINED) {
        orrery_json_entry *tape = realloc(parser->tape, RETAINED * sizeof *tape);
        if (tape) {
            parser->tape = tape;
            parser->capacity = RETAINED;
        }
    }
    // Skip a byte-order mark, which programs that join files can leave before any record.
    size_t start = length >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0;
#if ORRERY_JSON_X86
    if (parser->variant != ORRERY_JSON_SCALAR) {
        orrery_json_indexer indexer =
            parser->variant == ORRERY_JSON_AVX512 ? orrery_json_index_avx512 : orrery_json_index_avx2;
        orrery_json_stage1 stage = {.bytes = bytes, .length = length, .position = start};
        uint32_t count;
        if (ORRERY_JSON_LIKELY(orrery_json_walk(parser, &stage, indexer, &count)))
            return (orrery_json_result){.tape = parser->tape, .count = count};
        orrery_json_result result = orrery_json_parse_scalar(parser, bytes, length, start);
        if (result.problem == ORRERY_JSON_OK) parser->disagreements++;
        return result;
    }
#endif
    return orrery_json_parse_scalar(parser, bytes, length, start);
}

#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A reusable simdjson DOM parser. Not thread-safe; its last result lives until the next parse.
typedef struct csimdjson_parser csimdjson_parser;

/// What simdjson made of one document: its tape and string buffer, or why it refused.
typedef struct {
    const uint64_t *tape;
    const uint8_t *strings;
    /// NULL when the document was accepted.
    const char *error;
    /// 1 if the document was refused because of a number, else 0.
    int is_number_error;
} csimdjson_document;

csimdjson_parser *csimdjson_parser_create(size_t max_depth);
void csimdjson_parser_destroy(csimdjson_parser *parser);
csimdjson_document csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t count);

/// 1 for bytes that are surely a valid JSON object; 0 if they have to be parsed to know. Of a parse's two stages it runs the
/// first, and a walk over the structure found in place of the second. 0 for backslashes, white space behind numbers and
/// literals, and nesting of 60 and deeper.
int csimdjson_is_plain_object(csimdjson_parser *parser, const uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif
#endif

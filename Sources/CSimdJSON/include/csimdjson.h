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


/// 1 for a valid JSON object without white space and backslashes, as most stored records are; 0 for all other bytes, valid
/// or not. Takes half the instructions of a parse, of which it runs the first of two stages.
int csimdjson_is_plain_object(csimdjson_parser *parser, const uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif
#endif

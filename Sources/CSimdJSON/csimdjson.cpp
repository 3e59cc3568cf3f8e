#include "csimdjson.h"

#include <new>
#include <simdjson.h>

struct csimdjson_parser {
    simdjson::dom::parser parser;
    size_t max_depth;
};

extern "C" csimdjson_parser *csimdjson_parser_create(size_t max_depth) {
    auto *created = new (std::nothrow) csimdjson_parser();
    if (created) created->max_depth = max_depth;
    return created;
}

extern "C" void csimdjson_parser_destroy(csimdjson_parser *parser) { delete parser; }

extern "C" csimdjson_document csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t count) {
    // Allocating here, not in parse(), is what sets the depth limit.
    if (parser->parser.capacity() < count || parser->parser.max_depth() != parser->max_depth) {
        if (auto error = parser->parser.allocate(count < 4096 ? 4096 : count, parser->max_depth))
            return {nullptr, nullptr, simdjson::error_message(error), 0};
    }
    simdjson::dom::element root;
    if (auto error = parser->parser.parse(bytes, count).get(root))
        return {nullptr, nullptr, simdjson::error_message(error), error == simdjson::NUMBER_ERROR};
    return {parser->parser.doc.tape.get(), parser->parser.doc.string_buf.get(), nullptr, 0};
}

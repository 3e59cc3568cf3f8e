#include "csimdjson.h"

#include "parser.hpp"

#include <new>

extern "C" csimdjson_parser *csimdjson_parser_create(size_t max_depth) {
    auto *created = new (std::nothrow) csimdjson_parser();
    if (created) created->max_depth = max_depth;
    return created;
}

extern "C" void csimdjson_parser_destroy(csimdjson_parser *parser) { delete parser; }

extern "C" csimdjson_document csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t count) {
    if (auto error = parser->reserve(count)) return {nullptr, nullptr, simdjson::error_message(error), 0};
    simdjson::dom::element root;
    if (auto error = parser->parser.parse(bytes, count).get(root))
        return {nullptr, nullptr, simdjson::error_message(error), error == simdjson::NUMBER_ERROR};
    return {parser->parser.doc.tape.get(), parser->parser.doc.string_buf.get(), nullptr, 0};
}

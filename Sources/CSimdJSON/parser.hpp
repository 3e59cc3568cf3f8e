#pragma once

#include <simdjson.h>

struct csimdjson_parser {
    simdjson::dom::parser parser;
    size_t max_depth;

    /// Makes room for a document. Allocating here, not in parse(), is what sets the depth limit.
    simdjson::error_code reserve(size_t count) {
        if (parser.capacity() >= count && parser.max_depth() == max_depth) return simdjson::SUCCESS;
        return parser.allocate(count < 4096 ? 4096 : count, max_depth);
    }
};

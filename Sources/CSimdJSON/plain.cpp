#include "csimdjson.h"
#include "parser.hpp"

#include <cstring>

namespace {

/// Walks over the structural characters that simdjson's first stage has found: brackets, braces, colons, commas, and the
/// first character of each string and scalar.
class Walk {
    const uint8_t *const bytes;
    const uint32_t *next;
    const uint32_t *const end;
    const uint32_t count;

    bool take(uint8_t byte) {
        if (next == end || bytes[*next] != byte) return false;
        next++;
        return true;
    }

    /// The bytes up to the next structural character.
    size_t length() const { return (next + 1 < end ? next[1] : count) - *next; }

    bool take(const char *text, size_t size) {
        if (length() != size || memcmp(bytes + *next, text, size) != 0) return false;
        next++;
        return true;
    }

    static bool isDigit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

    static const uint8_t *digits(const uint8_t *from, const uint8_t *to) {
        while (from < to && isDigit(*from)) from++;
        return from;
    }

    bool number() {
        const uint8_t *at = bytes + *next, *to = at + length();
        if (at < to && *at == '-') at++;
        if (at == to || !isDigit(*at)) return false;
        at = *at == '0' ? at + 1 : digits(at, to);
        if (at < to && *at == '.') {
            const uint8_t *fraction = ++at;
            at = digits(at, to);
            if (at == fraction) return false;
        }
        if (at < to && (*at | 0x20) == 'e') {
            at++;
            if (at < to && (*at == '+' || *at == '-')) at++;
            const uint8_t *exponent = at;
            at = digits(at, to);
            if (at == exponent) return false;
        }
        if (at != to) return false;
        next++;
        return true;
    }

    bool scalar(uint8_t first) {
        switch (first) {
        case '"': next++; return true;
        case 't': return take("true", 4);
        case 'f': return take("false", 5);
        case 'n': return take("null", 4);
        default: return number();
        }
    }

public:
    Walk(const uint8_t *bytes, size_t count, const uint32_t *indexes, size_t structurals)
        : bytes(bytes), next(indexes), end(indexes + structurals), count(uint32_t(count)) {}

    /// Whether the text is a single object, nested less than 60 deep.
    bool object() {
        // A bit for each open container, the innermost last: 1 for an object.
        uint64_t open = 1;
        int depth = 1;
        if (!take('{')) return false;
        bool isFirst = true;
        while (next != end) {
            bool isObject = open & 1;
            if (take(isObject ? '}' : ']')) {
                open >>= 1;
                isFirst = false;
                if (--depth == 0) return next == end;
                continue;
            }
            if (!isFirst && !take(',')) return false;
            if (isObject && !(take('"') && take(':'))) return false;
            if (next == end) return false;
            uint8_t first = bytes[*next];
            isFirst = first == '{' || first == '[';
            if (!isFirst) {
                if (!scalar(first)) return false;
                continue;
            }
            if (++depth == 60) return false;
            open = open << 1 | (first == '{');
            next++;
        }
        return false;
    }
};

}  // namespace

extern "C" int csimdjson_is_plain_object(csimdjson_parser *parser, const uint8_t *bytes, size_t count) {
    // The second stage, which is left out, checks escapes.
    if (count < 2 || bytes[count - 1] != '}' || memchr(bytes, '\\', count) != nullptr) return 0;
    if (parser->reserve(count)) return 0;
    auto &stages = *parser->parser.implementation;
    if (stages.stage1(bytes, count, simdjson::stage1_mode::regular)) return 0;
    return Walk(bytes, count, stages.structural_indexes.get(), stages.n_structural_indexes).object();
}

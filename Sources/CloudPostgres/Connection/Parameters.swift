import CloudSQL

/// The parameters of a statement as PostgreSQL names them: `$1` for `?1`; a bare `?` has the number after the highest so
/// far.
enum Parameters {
    static func numbered(_ sql: String) -> String {
        var highest = 0
        return sql.rewritingSQL { part, bytes, result in
            guard part == .code else {
                result += bytes
                return
            }
            var rest = bytes
            while let place = rest.firstIndex(of: UInt8(ascii: "?")) {
                result += rest[..<place]
                rest = rest[(place + 1)...]
                let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                let number = Int(String(decoding: digits, as: UTF8.self)) ?? highest + 1
                highest = max(highest, number)
                result += "$\(number)".utf8
                rest = rest[digits.endIndex...]
            }
            result += rest
        }
    }
}

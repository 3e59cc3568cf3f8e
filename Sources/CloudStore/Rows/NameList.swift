import CloudModel
import CloudSQL

extension SQLValue {
    /// A JSON array of names for `json_each`. Names must not contain the character U+0000.
    static func names(_ names: some Collection<String>) -> SQLValue {
        var writer = JSONWriter(capacity: names.count * 40 + 2)
        writer.array { for name in names { $0.string(name) } }
        return .text(String(decoding: writer.bytes, as: UTF8.self))
    }
}

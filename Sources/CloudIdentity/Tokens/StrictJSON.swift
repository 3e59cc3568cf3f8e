package import CloudModel

/// JSON whose objects name each member once, as RFC 7515 §4 and RFC 7519 §4 allow readers to demand.
package enum StrictJSON {
    package enum Failure: Error {
        /// Not valid JSON, or no object.
        case malformed
        /// A member is named twice.
        case duplicate
    }

    /// Parses a whole document into an object.
    package static func object(_ bytes: [UInt8]) throws(Failure) -> JSONObject {
        let value: JSONValue
        do { value = try JSONParser.parse(bytes) } catch { throw .malformed }
        guard case .object(let object) = value else { throw .malformed }
        // The parser keeps the last of two members with one name, so fewer are left than the text has colons.
        guard members(value) == colons(bytes) else { throw .duplicate }
        return object
    }

    private static func members(_ value: JSONValue) -> Int {
        switch value {
        case .object(let object): object.members.reduce(object.members.count) { $0 + members($1.value) }
        case .array(let array): array.reduce(0) { $0 + members($1) }
        default: 0
        }
    }

    /// The number of colons outside strings of a valid document.
    private static func colons(_ bytes: [UInt8]) -> Int {
        var (count, isInString, isEscaped) = (0, false, false)
        for byte in bytes {
            if isEscaped {
                isEscaped = false
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if byte == UInt8(ascii: ":"), !isInString {
                count += 1
            }
        }
        return count
    }
}

/// Real numbers that JSON cannot express.
enum NotFinite: String {
    case nan = "NaN"
    case infinity = "Infinity"
    case minusInfinity = "-Infinity"

    /// Nil for a finite number.
    init?(_ number: Double) {
        if number.isFinite { return nil }
        self = number.isNaN ? .nan : number > 0 ? .infinity : .minusInfinity
    }

    var number: Double {
        switch self {
        case .nan: .nan
        case .infinity: .infinity
        case .minusInfinity: -.infinity
        }
    }
}

extension PropertyValue {
    /// The tagged form, as sent and stored.
    package var json: [UInt8] {
        var writer = JSONWriter(capacity: 64)
        write(to: &writer)
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("type", kind.rawValue)
            $0.key("value")
            writeBare(to: &$0)
        }
    }

    private func writeBare(to writer: inout JSONWriter) {
        switch self {
        case .string(let text), .bytes(let text): writer.string(text)
        case .int64(let integer): writer.integer(integer)
        case .double(let number):
            if let word = NotFinite(number) { writer.string(word.rawValue) } else { writer.number(number) }
        case .boolean(let bool): writer.bool(bool)
        case .timestamp(let milliseconds):
            if let whole = Int64(exactly: milliseconds) {
                writer.integer(whole)
            } else {
                writer.number(milliseconds)
            }
        case .list(let elements): writer.array { for element in elements { element.write(to: &$0) } }
        case .dictionary(let members):
            writer.object {
                for member in members {
                    $0.key(member.key)
                    member.value.write(to: &$0)
                }
            }
        }
    }
}

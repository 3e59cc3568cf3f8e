import CloudHTTP
import CloudModel
import CloudServer
import Configuration

extension Setting {
    /// The longest name, in characters.
    private static let longestName = 80

    /// An optional name that people read.
    init(_ name: String, _ purpose: String, name path: Path<String?>) {
        self.init(name: name, purpose: purpose, type: .string, text: { $0[keyPath: path] ?? "" }) {
            content, settings throws(Unfit) in
            guard case .string(let text) = content, (1...Self.longestName).contains(text.count),
                text.contains(where: { !$0.isWhitespace }), text.utf8.count <= Self.longestName * 4,
                text.unicodeScalars.allSatisfy({ !Self.isInvisible($0) })
            else {
                throw Unfit(
                    demand: "a name of 1 to \(Self.longestName) characters, without line breaks and control characters")
            }
            settings[keyPath: path] = text
        }
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Joiners belong to emoji and to scripts such as Persian.
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }
}

import CloudModel

/// A snapshot's name, chosen by a test: 1 to 64 letters, digits, dots, dashes and underscores.
package struct SnapshotName: Hashable, Sendable, Comparable {
    package let text: String

    /// - Throws: `BAD_REQUEST` for an invalid name.
    package init(_ text: String) throws {
        guard (1...64).contains(text.utf8.count), !text.hasPrefix("."), text.utf8.allSatisfy(Self.mayHave) else {
            throw ServerError.badRequest(
                "the snapshot's name must be 1 to 64 letters, digits, '.', '-' and '_', and not begin with '.'")
        }
        self.text = text
    }

    /// The name as hex digits for file names, which are then distinct on case-insensitive file systems.
    var hex: String { text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    init(hex: some StringProtocol) throws {
        let digits = Array(hex.utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<min($0 + 2, digits.count)], as: UTF8.self), radix: 16)
        }
        try self.init(String(decoding: bytes, as: UTF8.self))
    }

    private static func mayHave(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    package static func < (one: SnapshotName, other: SnapshotName) -> Bool { one.text < other.text }
}

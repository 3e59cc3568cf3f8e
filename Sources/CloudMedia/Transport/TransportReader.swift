/// Looks for notes of a camera in a transport stream of MPEG, which stand among the pictures and may have positions.
struct TransportReader {
    private let file: Span
    private static let (searched, step) = (512 << 10, 64 << 10)
    private static let notes = Array("MDPM".utf8)
    private static let packet = 188

    init(_ file: Span) { self.file = file }

    /// Returns true if a file begins with three packets, with or without their times in front.
    static func begins(_ file: Span) throws -> Bool {
        func has(_ start: Int, _ length: Int) throws -> Bool {
            try (0..<3).allSatisfy { try file.has("\u{47}", at: start + $0 * length) }
        }
        return try has(0, packet) || has(4, packet + 4)
    }

    func read(_ findings: inout Findings) throws {
        let end = min(file.count, Self.searched)
        for at in stride(from: 0, to: end, by: Self.step) {
            let bytes = try file.bytes(at, min(Self.step + Self.notes.count, file.count - at))
            guard bytes.firstRange(of: Self.notes) != nil else { continue }
            findings.hasMetadata = true
            findings.removal.isCertain = false
            return
        }
    }
}

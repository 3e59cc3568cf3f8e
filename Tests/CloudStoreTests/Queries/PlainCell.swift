import CloudModel
import TestStore

/// One value of a record in memory, as it is compared.
enum PlainCell {
    case whole(Int64)
    case real(Double)
    case text(String)
    /// Without a zone it points into that of its record.
    case reference(String, zone: ZoneID?)

    /// A reference's text as records of a zone have it: the name alone where it points into the zone itself.
    func seen(from zone: ZoneID) -> PlainCell {
        guard case .reference(let name, let target) = self else { return self }
        guard let target, target != zone else { return .text(name) }
        return .text("\(name)\u{1}\(target.name)\u{1}\(target.owner)")
    }

    func starts(with prefix: PlainCell) -> Bool {
        guard case (.text(let text), .text(let start)) = (self, prefix) else { return false }
        return text.utf8.starts(with: start.utf8)
    }
}

extension PlainCell: Comparable {
    static func == (left: PlainCell, right: PlainCell) -> Bool { !(left < right) && !(right < left) }

    /// Numbers before text, by their exact values; text by its UTF-8 bytes.
    static func < (left: PlainCell, right: PlainCell) -> Bool {
        switch (left, right) {
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.whole(let left), .whole(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.whole(let left), .real(let right)): Int128(left) < rounded(right, .up)
        case (.real(let left), .whole(let right)): rounded(left, .down) < Int128(right)
        case (.text, _), (.reference, _): false
        default: true
        }
    }

    /// Those beyond all whole numbers there are stay beyond.
    private static func rounded(_ real: Double, _ rule: FloatingPointRoundingRule) -> Int128 {
        Int128(min(max(real, -1e30), 1e30).rounded(rule))
    }
}

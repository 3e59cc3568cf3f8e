/// Colour spaces and transfers of ICC profiles and of coding-independent code points (ITU-T H.273).
enum ColorReader {
    static func codePoints(primaries: Int, transfer: Int, _ findings: inout Findings) {
        switch primaries {
        case 1: findings.facts.color = .sRGB
        case 9: findings.facts.color = .rec2020
        case 12: findings.facts.color = .displayP3
        default: break
        }
        guard findings.facts.hdr == .standard else { return }
        if transfer == 16 { findings.facts.hdr = .pq }
        if transfer == 18 { findings.facts.hdr = .hlg }
    }

    /// - Parameter profile: the beginning of an ICC profile, with its description if it is there.
    static func profile(_ profile: Block) -> ColorProfile {
        guard let count = profile.number(128, 4) else { return .other }
        for at in (0..<min(count, 64)).map({ 132 + $0 * 12 }) where profile.has("desc", at: at) {
            guard let offset = profile.number(at + 4, 4), let length = profile.number(at + 8, 4) else { return .other }
            return description(profile, at: offset, length: min(length, 512))
        }
        return .other
    }

    private static func description(_ profile: Block, at: Int, length: Int) -> ColorProfile {
        guard at <= profile.count, let bytes = profile.slice(at, min(length, profile.count - at)) else { return .other }
        // Latin letters in UTF-16 are their ASCII bytes and NULs.
        return named(latin(bytes.filter { $0 >= 0x20 && $0 < 0x7F }))
    }

    /// The colour space that a profile's name stands for.
    static func named(_ name: String) -> ColorProfile {
        let names: [(String, ColorProfile)] = [
            ("Display P3", .displayP3), ("sRGB", .sRGB), ("Adobe RGB", .adobeRGB), ("ProPhoto", .proPhoto),
            ("ROMM", .proPhoto), ("2020", .rec2020), ("2100", .rec2020),
        ]
        return names.first { name.contains($0.0) }?.1 ?? .other
    }
}

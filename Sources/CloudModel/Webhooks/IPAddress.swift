/// An internet address as its bytes: 4 of IPv4, 16 of IPv6.
package struct IPAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    /// - Returns: nil for any other number of bytes.
    package init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.count == 4 || self.bytes.count == 16 else { return nil }
    }

    /// True for a public address: not loopback, private, link-local, unspecified or otherwise special-purpose (IANA's
    /// registries). An address that embeds an IPv4 address is public if the embedded address is.
    package var isPublic: Bool {
        if bytes.count == 4 { return !Self.specialIPv4.contains { $0.contains(bytes) } }
        if Self.translated.contains(where: { $0.contains(bytes) }) {
            return !Self.specialIPv4.contains { $0.contains(bytes[12...]) }
        }
        return Self.globalUnicast.contains(bytes) && !Self.specialIPv6.contains { $0.contains(bytes) }
    }

    private static let specialIPv4 = [
        Range([0], 8), Range([10], 8), Range([100, 64], 10), Range([127], 8), Range([169, 254], 16),
        Range([172, 16], 12), Range([192, 0, 0], 24), Range([192, 0, 2], 24), Range([192, 88, 99], 24),
        Range([192, 168], 16), Range([198, 18], 15), Range([198, 51, 100], 24), Range([203, 0, 113], 24),
        Range([224], 4), Range([240], 4),
    ]

    /// IPv6 ranges for IPv4-mapped and NAT64 addresses.
    private static let translated = [
        Range([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96),
        Range([0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0], 96),
    ]

    private static let globalUnicast = Range([0x20], 3)

    /// Parts of the global unicast space: protocol assignments and Teredo, documentation, 6to4.
    private static let specialIPv6 = [
        Range([0x20, 0x01, 0], 23), Range([0x20, 0x01, 0x0d, 0xb8], 32), Range([0x20, 0x02], 16),
        Range([0x3f, 0xff, 0], 20),
    ]

    /// Addresses with a common prefix.
    private struct Range {
        let prefix: [UInt8]
        let bits: Int

        init(_ prefix: [UInt8], _ bits: Int) {
            self.prefix = prefix
            self.bits = bits
        }

        func contains(_ bytes: some Collection<UInt8>) -> Bool {
            zip(bytes, prefix).enumerated().allSatisfy { index, pair in
                let mask = UInt8(truncatingIfNeeded: 0xff00 >> min(max(bits - index * 8, 0), 8))
                return pair.0 & mask == pair.1 & mask
            }
        }
    }
}

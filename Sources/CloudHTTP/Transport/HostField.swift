package import CloudModel
import NIOCore
import NIOHTTP1

/// Requires exactly one Host (RFC 9112 §3.2): given two, server and proxy could each trust a different header.
package enum HostField {
    /// The error for a missing, repeated or malformed Host; nil for a valid header.
    package static func fault(_ request: HTTPRequest) -> ServerError? {
        guard let authority = request.authority else { return .badRequest("the header Host is missing", .address) }
        guard !request.headerFields.contains(.host) else {
            return .badRequest("there is more than one header Host", .address)
        }
        guard isMadeOfParts(authority) else {
            return .badRequest("the header Host is not a host and a port", .address)
        }
        return nil
    }

    /// The ASCII bytes of host names, addresses and ports (RFC 3986 §3.2.2), as a bitmap.
    private static let parts: (low: UInt64, high: UInt64) = {
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        for byte in (letters + "0123456789-._~%!$&'()*+,;=:[]").utf8 {
            if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
        }
        return bits
    }()

    private static func isMadeOfParts(_ authority: String) -> Bool {
        let parts = parts
        var authority = authority
        return authority.withUTF8 { bytes in
            for byte in bytes {
                let bits = byte < 64 ? parts.low : byte < 128 ? parts.high : 0
                if bits >> UInt64(byte & 63) & 1 == 0 { return false }
            }
            return true
        }
    }
}

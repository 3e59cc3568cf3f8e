import CloudModel
import NIOCore
import NIOHTTP1

/// A request names its host once (RFC 9112 §3.2). With two, the server and a proxy could each believe another one.
enum HostField {
    /// The fault in a request's host; nil when there is none.
    static func fault(_ request: HTTPRequest) -> ServerError? {
        guard let authority = request.authority else { return .badRequest("the header Host is missing", .address) }
        guard !request.headerFields.contains(.host) else {
            return .badRequest("there is more than one header Host", .address)
        }
        guard authority.utf8.allSatisfy(isPart) else {
            return .badRequest("the header Host is not a host and a port", .address)
        }
        return nil
    }

    /// True for a byte that names, addresses and ports are made of (RFC 3986 §3.2.2).
    private static func isPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }
}

import CloudModel
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// A request names its host once (RFC 9112 §3.2). With two, the server and a proxy could each believe another one.
enum HostField {
    /// The fault in a request's host; nil when there is none.
    static func fault(_ request: HTTPRequest) -> ServerError? {
        guard let authority = request.authority else { return .badRequest("the header Host is missing", .address) }
        guard request.headerFields[.anotherHost] == nil else {
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

/// Gives requests of HTTP/1.0, which need no host, an empty one, so that only those of HTTP/1.1 lack it. Their version is
/// forgotten where they become HTTP types.
final class EarlierRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Whether the last request was of HTTP/1.0, which knows no answers before the last (RFC 9110 §15.2).
    private(set) var isSpoken = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        isSpoken = [.http0_9, .http1_0].contains(head.version)
        guard isSpoken, !head.headers.contains(name: "Host") else { return context.fireChannelRead(data) }
        head.headers.add(name: "Host", value: "")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}

extension HTTPField.Name {
    /// A second Host: the first is the request's authority.
    fileprivate static let anotherHost = HTTPField.Name("Host")!
}

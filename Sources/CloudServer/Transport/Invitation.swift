import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue`, with which curl and others ask before they send a large body, and wait.
///
/// A body announced over the limit is not asked for: its refusal comes instead.
final class Invitation: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let largestBody: Int
    private let assetBytes: Int

    init(largestBody: Int, assetBytes: Int) {
        self.largestBody = largestBody
        self.assetBytes = assetBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let request) = unwrapInboundIn(data), isWelcome(request) {
            context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
        }
        context.fireChannelRead(data)
    }

    private func isWelcome(_ request: HTTPRequest) -> Bool {
        guard request.headerFields[.expect]?.lowercased() == "100-continue" else { return false }
        let largest =
            UploadRoute.takes(request)
            ? UploadRoute.largestBody(request.headerFields, assetBytes: assetBytes) : largestBody
        return request.headerFields[.contentLength].flatMap { Int($0) }.map { $0 <= largest } ?? true
    }
}

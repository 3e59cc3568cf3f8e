package import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers the request of one HTTP/2 stream, behind NIO's frame codec.
final class HTTP2Handler: ExchangeHandler, ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPResponsePart

    override var abilities: ExchangeAbilities {
        ExchangeAbilities(isHTTP2: true, takesFiles: false, mayProbe: false)
    }

    func handlerAdded(context: ChannelHandlerContext) { added(context) }
    func handlerRemoved(context: ChannelHandlerContext) { removed() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): receive(.head(HTTPRequest(head)), context)
        case .body(let bytes): receive(.body(bytes), context)
        case .end: receive(.end, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        readComplete(context)
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { senders.stop(context.channel) }
        note(event, context)
    }

    override func write(_ part: AnswerPart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        HTTP2Answer.write(part, date: dates.text) { part, isLast in
            context.write(wrapOutboundOut(part), promise: isLast ? promise : nil)
        }
    }
}

/// Converts answers to the types of NIO's HTTP/2 codec.
enum HTTP2Answer {
    /// - Parameter write: called for each resulting part; `isLast` marks the last.
    static func write(_ part: AnswerPart, date: String, _ write: (HTTPResponsePart, _ isLast: Bool) -> Void) {
        switch part {
        case .informational(let status): write(.head(HTTPTypes.HTTPResponse(status: .init(code: status.code))), true)
        case .whole(let response, _):
            write(.head(head(of: response, date)), false)
            switch response.body.content {
            case .buffer(let bytes) where bytes.readableBytes > 0: write(.body(bytes), false)
            case .array(let bytes) where !bytes.isEmpty: write(.body(ByteBuffer(bytes: bytes)), false)
            default: break
            }
            write(.end(nil), true)
        case .head(let response, _): write(.head(head(of: response, date)), true)
        case .body(let bytes): write(.body(bytes), true)
        // Never reached: ``ExchangeAbilities/takesFiles`` is false for HTTP/2.
        case .file: write(.end(nil), true)
        case .end: write(.end(nil), true)
        }
    }

    private static func head(of response: Response, _ date: String) -> HTTPTypes.HTTPResponse {
        var fields = HTTPTypes.HTTPFields()
        for field in response.fields + [HTTPField(name: .date, value: date)] {
            if let name = HTTPTypes.HTTPField.Name(field.name.rawName) {
                fields.append(HTTPTypes.HTTPField(name: name, value: field.value))
            }
        }
        return HTTPTypes.HTTPResponse(status: .init(code: response.status.code), headerFields: fields)
    }
}

extension HTTPRequest {
    /// Converts a request head that NIO's codec has validated.
    package convenience init(_ head: HTTPTypes.HTTPRequest) {
        var fields = HTTPFields()
        for field in head.headerFields {
            fields.append(HTTPField(name: HTTPField.Name(token: field.name.rawName), value: field.value))
        }
        self.init(
            method: Method(token: head.method.rawValue), authority: head.authority, path: head.path,
            headerFields: fields)
    }
}

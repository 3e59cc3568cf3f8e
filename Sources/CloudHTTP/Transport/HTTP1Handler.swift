import CloudModel
import NIOCore
import NIOHTTP1

/// Serves HTTP/1.1 on one connection: receives request parts from NIO's decoder and writes answers as bytes.
///
/// Refuses the first request of a connection that was not admitted. State: touched on the connection's event loop only.
final class HTTP1Handler: ExchangeHandler, ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = IOData

    private static let goOn = HTTP1Answer.informational(.continue)
    private static let isWorkedOn = HTTP1Answer.informational(.processing)

    private let gate: ConnectionGate
    private let inbound: InboundBytes
    private let sendsFiles: Bool
    private let idle: IdleTime
    private var place: ConnectionPlace?
    /// Closes a refused connection.
    private var refusedEnd: Scheduled<Void>?
    private var isRefusalSent = false
    /// True if the last request used HTTP/1.0, which has no informational answers (RFC 9110 §15.2).
    private var isEarlier = false
    private var isChunked = false

    /// - Parameters:
    ///   - inbound: drops input once reading has ended.
    ///   - sendsFiles: true if the system may send files straight to the socket.
    init(
        server: HTTPServer, dates: DateField, gate: ConnectionGate, inbound: InboundBytes, sendsFiles: Bool,
        connection: @escaping () -> Connections.Connection?, ended: EventLoopPromise<Void>
    ) {
        self.gate = gate
        self.inbound = inbound
        self.sendsFiles = sendsFiles
        idle = IdleTime(longest: TimeAmount(server.settings.idleTime))
        super.init(server: server, dates: dates, connection: connection, ended: ended)
    }

    override var abilities: ExchangeAbilities {
        ExchangeAbilities(isHTTP2: false, takesFiles: sendsFiles, mayProbe: !isEarlier)
    }
    override func drop() { inbound.drop() }

    // MARK: In

    func handlerAdded(context: ChannelHandlerContext) {
        added(context)
        if context.channel.isActive { begin(context.channel) }
    }

    func channelActive(context: ChannelHandlerContext) {
        begin(context.channel)
        context.fireChannelActive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        place?.leave()
        refusedEnd?.cancel()
        idle.cancel()
        removed()
    }

    /// A busy server may get here late, when the connection has already sent a request.
    private func begin(_ channel: any Channel) {
        guard place == nil else { return }
        let place = ConnectionPlace(channel, gate: gate, connections: server.bounds.connections)
        self.place = place
        ConnectionPlace.endUnread(channel, after: server.settings.readingTime)
        if place.refusal != nil {
            close(channel, in: RefusedConnection.longest)
        } else {
            idle.watch(channel)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let refusal = place?.refusal { return refuse(unwrapInboundIn(data), refusal, context) }
        switch unwrapInboundIn(data) {
        case .head(let head):
            isEarlier = head.version.isEarlier
            idle.noteHead()
            receive(.head(HTTPRequest(head)), context)
        case .body(let bytes): receive(.body(bytes), context)
        case .end:
            idle.noteEnd()
            receive(.end, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if place?.refusal == nil {
            idle.noteRead()
            readComplete(context)
        }
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            senders.stop(context.channel)
            if idle.stop() { close(context) }
        } else {
            note(event, context)
        }
    }

    private func close(_ channel: any Channel, in time: TimeAmount) {
        refusedEnd?.cancel()
        refusedEnd = channel.eventLoop.assumeIsolated().scheduleTask(in: time) { channel.close(promise: nil) }
    }

    /// Answers the first request of a refused connection, and closes the connection.
    private func refuse(_ part: HTTPServerRequestPart, _ refusal: ServerError, _ context: ChannelHandlerContext) {
        guard !isRefusalSent, case .head(let head) = part else { return }
        isRefusalSent = true
        // Reads and drops further input: closing a socket with unread bytes would discard the answer.
        inbound.drop()
        let channel = context.channel
        let response = server.handler.refuse(HTTPRequest(head), of: channel, refusal)
        context.writeAndFlush(wrapOutboundOut(bytes(of: response, isLast: true, context)), promise: nil)
        channel.close(mode: .output, promise: nil)
        close(channel, in: RefusedConnection.grace)
    }

    // MARK: Out

    override func write(_ part: AnswerPart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        switch part {
        case .informational(let status):
            let bytes = status == .continue ? Self.goOn : Self.isWorkedOn
            context.write(wrapOutboundOut(.byteBuffer(bytes)), promise: promise)
        case .whole(let response, let isLast):
            write(whole: response, isLast, context, promise)
            answered(context)
        case .head(let response, let isLast):
            let answer = HTTP1Answer(response, isLast: isLast, date: dates.text)
            isChunked = answer.isChunked
            context.write(wrapOutboundOut(.byteBuffer(answer.bytes(context.channel.allocator))), promise: promise)
        case .body(let bytes):
            let framed = isChunked && bytes.readableBytes > 0 ? HTTP1Answer.chunk(bytes) : bytes
            context.write(wrapOutboundOut(.byteBuffer(framed)), promise: promise)
        case .file(let region): context.write(wrapOutboundOut(.fileRegion(region)), promise: promise)
        case .end:
            let last = isChunked ? HTTP1Answer.lastChunk : ByteBuffer()
            context.write(wrapOutboundOut(.byteBuffer(last)), promise: promise)
            isChunked = false
            answered(context)
        }
    }

    private func answered(_ context: ChannelHandlerContext) {
        if idle.noteAnswer(context.channel, isReading: isReading) { close(context) }
    }

    private func write(
        whole response: Response, _ isLast: Bool, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        if case .buffer(let body) = response.body.content, body.readableBytes > HTTP1Answer.mostJoined,
            response.status.mayHaveBody
        {
            let head = HTTP1Answer(response, isLast: isLast, date: dates.text).bytes(context.channel.allocator)
            context.write(wrapOutboundOut(.byteBuffer(head)), promise: nil)
            context.write(wrapOutboundOut(.byteBuffer(body)), promise: promise)
        } else {
            context.write(wrapOutboundOut(bytes(of: response, isLast: isLast, context)), promise: promise)
        }
    }

    private func bytes(of response: consuming Response, isLast: Bool, _ context: ChannelHandlerContext) -> IOData {
        let answer = HTTP1Answer(response, isLast: isLast, date: dates.text)
        let allocator = context.channel.allocator
        guard answer.response.status.mayHaveBody else { return .byteBuffer(answer.bytes(allocator)) }
        switch answer.response.body.content {
        case .array(let body): return .byteBuffer(body.withUnsafeBytes { answer.bytes(allocator, body: $0) })
        case .buffer(let body):
            return .byteBuffer(body.withUnsafeReadableBytes { answer.bytes(allocator, body: $0) })
        case .pieces: return .byteBuffer(answer.bytes(allocator))
        }
    }
}

import CloudModel
import NIOCore
import NIOHTTP1

/// Answers the requests of a connection, or of an HTTP/2 stream, in order.
///
/// Hands over small complete requests in one piece, and writes small answers in one turn of the event loop. Subclasses
/// encode the answers: ``HTTP1Handler``, ``HTTP2Handler``. State: touched on the event loop only.
class ExchangeHandler {
    let server: HTTPServer
    let dates: DateField
    private let invitation: Invitation
    let senders: SlowSenders
    private let findConnection: () -> Connections.Connection?
    final let ended: EventLoopPromise<Void>
    final var context: ChannelHandlerContext?
    /// Nil until the handler is added.
    private var turn: LoopTurn?
    /// Requests answered on the event loop since the last read.
    private var atOnce = 0
    final var connection: Connections.Connection?

    final var waiting = PendingParts()
    /// A request whose handler has not started.
    final var arriving: (head: HTTPRequest, body: ByteBuffer)?
    final var current: Exchange?
    /// The body of the last started request.
    final var body = ArrivingBody()
    private var isTaking = false
    final var isReading = false
    /// The channel's last reported writability.
    private var isWritable = true
    private var isReadHeld = false
    final var isWritten = false
    /// True once the connection answers no further request.
    final var isLast = false

    /// True after a read or parse error.
    private var hasFault = false
    final var client = ClientSide()
    /// Fulfilled when the channel becomes writable again.
    final var room: EventLoopPromise<Void>?

    /// - Parameters:
    ///   - connection: looks up the connection's entry; called once the channel is open.
    ///   - ended: fulfilled after the end of the connection and of its last answer.
    init(
        server: HTTPServer, dates: DateField, connection: @escaping () -> Connections.Connection?,
        ended: EventLoopPromise<Void>
    ) {
        self.server = server
        self.dates = dates
        findConnection = connection
        self.ended = ended
        let settings = server.settings
        invitation = Invitation(
            largestBody: settings.limits.requestBytes, assetBytes: settings.limits.assets.bytes)
        senders = SlowSenders(
            longest: TimeAmount(settings.requestTime), longestUpload: TimeAmount(settings.assetUploadTime))
    }

    // MARK: Differences of the protocols

    var abilities: ExchangeAbilities { ExchangeAbilities(isHTTP2: false, takesFiles: false, mayProbe: false) }

    /// Discards all further input.
    func drop() {}

    /// Encodes and writes a part of an answer, without flushing.
    func write(_ part: AnswerPart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {}

    final func added(_ context: ChannelHandlerContext) {
        self.context = context
        turn = server.loopTurns.turn(of: context.eventLoop)
        isWritable = context.channel.isWritable
    }

    final func removed() {
        connectionEnded()
        context = nil
    }

    // MARK: In

    final func receive(_ part: RequestPart, _ context: ChannelHandlerContext) {
        if senders.isRefused { return }
        switch part {
        case .head(let request):
            senders.noteHead(request)
            if invitation.isFor(request) {
                write(.informational(.continue), context, nil)
                context.flush()
            }
        case .body(let bytes):
            if !senders.noteBody(bytes.readableBytes) { return fail(HTTPParserError.invalidChunkSize, context) }
        case .end: senders.noteEnd(context.channel)
        }
        // Drops later input: closing a socket with unread bytes would discard the last answer.
        if isLast, !body.isComing { return }
        isReading = true
        guard waiting.isEmpty, !waiting.isCut, !isTaking, mayTake else {
            waiting.append(part)
            return take()
        }
        isTaking = true
        take(part)
        isTaking = false
        if isReadHeld || client.isInputClosed || !waiting.isEmpty { take() }
    }

    final func readComplete(_ context: ChannelHandlerContext) {
        senders.noteReadComplete(context.channel)
        isReading = false
        atOnce = 0
        take()
        flushAtEndOfTurn()
    }

    /// Flushes together with other answers of this turn.
    final func flushAtEndOfTurn() {
        if isWritten { turn?.flush(self) }
    }

    final func read(context: ChannelHandlerContext) {
        if waiting.isFull || body.reader?.isFull == true { isReadHeld = true } else { context.read() }
    }

    final func channelWritabilityChanged(context: ChannelHandlerContext) {
        isWritable = context.channel.isWritable
        if isWritable {
            room.take()?.succeed()
            take()
        }
        context.fireChannelWritabilityChanged()
    }

    /// Handles the end of input and passes the event on.
    final func note(_ event: Any, _ context: ChannelHandlerContext) {
        if event as? ChannelEvent == .inputClosed {
            client.endInput()?()
            probe()
            take()
        }
        context.fireUserInboundEventTriggered(event)
    }

    final func channelInactive(context: ChannelHandlerContext) {
        senders.cancel()
        connectionEnded()
        context.fireChannelInactive()
    }

    final func errorCaught(context: ChannelHandlerContext, error: any Error) { fail(error, context) }

    private func fail(_ error: any Error, _ context: ChannelHandlerContext) {
        // The decoder cannot resume after an error.
        drop()
        hasFault = true
        if let reader = body.reader.take() {
            // The reader of the body gets the error and decides the answer.
            body.isComing = false
            if !abilities.isHTTP2 { isLast = true }
            reader.finish(error)
        } else if let fault = error as? HTTPParserError {
            if current == nil { refuse(fault) } else { isLast = true }
        } else {
            close(context)
        }
    }

    /// Takes received parts, as far as the current request allows.
    final func take() {
        guard !isTaking else { return }
        isTaking = true
        defer { isTaking = false }
        repeat {
            while mayTake, let part = waiting.popFirst() { take(part) }
            if !isReading, current == nil, arriving != nil { begin(isWhole: false) }
            if client.isInputClosed, waiting.isEmpty { inputEnded() }
            readHeld()
            // An HTTP/2 read may deliver buffered parts within this call.
        } while mayTake && !waiting.isEmpty
        countWaiting()
    }

    /// Counts the bytes queued behind the current request.
    private func countWaiting() {
        guard let context else { return }
        waiting.count { server.bounds.requests.unread(of: address(of: $0, context)) }
        if waiting.isCut, waiting.isEmpty, current == nil, !isLast { closeOutput() }
    }

    private func address(of head: HTTPRequest, _ context: ChannelHandlerContext) -> String {
        if connection == nil { connection = findConnection() }
        return server.bounds.address(of: head, connection, peer: context.channel.remoteAddress)
    }

    /// Resumes a paused read once there is room.
    final func readHeld() {
        guard isReadHeld, !waiting.isFull, body.reader?.isFull != true else { return }
        isReadHeld = false
        context?.read()
    }

    private var mayTake: Bool {
        if body.isComing { return true }
        // A client that stops reading gets no further answers.
        return current == nil && !isLast && isWritable && context != nil
    }

    private func take(_ part: RequestPart) {
        switch part {
        case .head(let head): arriving = (head, ByteBuffer())
        case .body(let bytes):
            if arriving == nil {
                if let reader = body.reader { reader.yield(bytes) } else { drop(bytes) }
            } else if arriving?.body.readableBytes == 0 {
                arriving?.body = bytes
            } else {
                arriving?.body.writeImmutableBuffer(bytes)
            }
        case .end:
            if arriving != nil { return begin(isWhole: true) }
            body.isComing = false
            body.reader.take()?.finish()
            if body.isCloseAnnounced {
                isLast = true
                if current == nil { return closeOutput() }
            }
            if isLast { drop() }
        }
    }

    private func begin(isWhole: Bool) {
        guard let context, let (head, bytes) = arriving.take() else { return }
        if connection == nil { connection = findConnection() }
        let isHanded = isWhole && bytes.readableBytes <= ExchangeBounds.mostHanded
        let address = isHanded ? "" : address(of: head, context)
        isLast = !abilities.isHTTP2 && head.isLast || waiting.isCut && waiting.requests == 0
        if isLast, isWhole { drop() }
        let exchange = Exchange(self, context.channel, connection, isLast: isLast)
        current = exchange
        body.isComing = !isWhole
        let (target, match) = target(of: head)
        var handed = RequestBody(buffer: bytes)
        var bodySize: Int? = bytes.readableBytes
        if match?.takesBody != true {
            // The route reads no body: do not buffer any during the answer.
            handed = RequestBody()
        } else if !isHanded {
            if !isWhole { bodySize = head.headerFields[.contentLength].flatMap { Int($0) } }
            let unread = server.bounds.requests.unread(of: address)
            let inflow = RequestInflow(
                of: exchange, begun: bytes, unread: unread, window: abilities.isHTTP2 ? ExchangeBounds.streamWindow : 0)
            if isWhole { inflow.source.finish() } else { body.reader = inflow.source }
            handed = RequestBody(asyncSequence: inflow)
        }
        let request = Request(head: head, target, handed)
        if !isWhole { body.unread = server.unreadBody(of: head, address) }
        atOnce += 1
        exchange.begin(request, match, bodySize: bodySize, isAtOnce: atOnce <= ExchangeBounds.mostAtOnce, by: server)
        if client.isInputClosed { probe() }
    }

    private func target(of head: HTTPRequest) -> (RequestTarget, RouteMatch?) {
        let (text, method) = (head.path ?? "", head.method)
        if let found = turn?.targets.known(text, method) { return (found.target, found.match) }
        let target = RequestTarget(text)
        let match = server.handler.match(target.path, for: method)
        turn?.targets.add(RecentTargets.Found(method: method, target: target, match: match))
        return (target, match)
    }

    /// Drops body bytes without a reader, and stops reading over the limit.
    private func drop(_ bytes: ByteBuffer) {
        guard body.isComing, body.unread?.drop(bytes.readableBytes) == false else { return }
        if current == nil { return closeUnread() }
        (isLast, body.isComing) = (true, false)
        waiting.removeAll()
        drop()
    }

    /// Resumes reading for a body with room. Ignores an exchange that has ended.
    final func readOn(for exchange: Exchange) {
        guard exchange === current else { return }
        body.reader?.isFull = false
        take()
    }

    /// A half-closed client still gets its answers.
    private func inputEnded() {
        if let reader = body.reader.take() {
            body.isComing = false
            reader.finish()
        }
        if current == nil { closeOnceWritten() }
    }

    // MARK: The other end

    /// Probes a half-closed client with an informational answer if its answer takes long. A disconnected client replies
    /// with a reset, which cancels the request.
    private func probe() {
        guard let context, let asked = current, abilities.mayProbe, !hasFault else { return }
        context.eventLoop.assumeIsolated().scheduleTask(in: ExchangeBounds.probeTime) { [self] in
            guard let context = self.context, asked === current, asked.isUnanswered else { return }
            self.write(.informational(.processing), context, nil)
            context.flush()
        }
    }

    private func connectionEnded() {
        client.leave()?()
        current?.markGone()
        body.reader.take()?.finish()
        room.take()?.fail(ChannelError.ioOnClosedChannel)
        if current == nil { ended.succeed() }
    }
}

/// What a connection's protocol allows.
struct ExchangeAbilities {
    let isHTTP2: Bool
    /// True if the system may send files straight to the socket.
    let takesFiles: Bool
    /// True if the client understands informational answers.
    let mayProbe: Bool
}

private enum ExchangeBounds {
    /// Unread body bytes that NIO buffers per HTTP/2 stream: the window.
    static let streamWindow = 65_535
    /// The delay before the server probes whether a half-closed client still reads.
    static let probeTime = TimeAmount.milliseconds(200)
    /// Requests answered on the event loop per read of a connection; further requests get a task, for fairness.
    static let mostAtOnce = 8
    /// Largest body handed over with its request, uncounted until read.
    static let mostHanded = 16 << 10
}

import CloudModel
import NIOCore
import NIOHTTP2
import NIOHTTPTypesHTTP2

extension HTTPConnection {
    /// Serves HTTP/2 on a connection that negotiated HTTP/2. Refuses requests on a connection over a limit.
    func speakHTTP2(_ channel: any Channel, _ speed: ReadingSpeed, _ ended: EventLoopPromise<Void>) throws {
        let place = ConnectionPlace(channel, gate: gate, connections: server.bounds.connections)
        let streams = StreamCount(ended)
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            place.leave()
            streams.close()
        }
        let readingTime = server.settings.readingTime
        ConnectionPlace.endUnread(channel, after: readingTime)
        let inbound = InboundBytes()
        let lifetime = HTTP2Lifetime(
            HTTP2Lifetime.Times(
                handshake: Self.handshakeTime, idle: TimeAmount(server.settings.idleTime),
                reading: TimeAmount(readingTime)), inbound: inbound)
        let bound = NIOLoopBound((lifetime, speed), eventLoop: channel.eventLoop)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers(inbound, SentErrors { lifetime.fail() })
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let (lifetime, speed) = bound.value
                lifetime.streamOpened(try stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID) ?? .maxID)
                stream.closeFuture.assumeIsolated().whenComplete { _ in lifetime.streamClosed() }
                try begin(stream, of: channel, lifetime, speed, place.refusal, streams)
            }
        }
        try pipeline.addHandler(lifetime)
        guard place.refusal != nil else { return }
        channel.eventLoop.scheduleTask(in: RefusedConnection.longest) { channel.close(promise: nil) }
    }

    private func begin(
        _ stream: any Channel, of channel: any Channel, _ lifetime: HTTP2Lifetime, _ speed: ReadingSpeed,
        _ refusal: ServerError?, _ streams: StreamCount
    ) throws {
        let pipeline = stream.pipeline.syncOperations
        try pipeline.addHandler(
            SlowReaders(time: TimeAmount(server.settings.readingTime), lifetime: lifetime, speed: speed))
        try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
        if let refusal {
            return try pipeline.addHandler(
                RefusedStream(refusal, server: server, dates: dates, connection: channel) { request in
                    // After a preflight, browsers send the request on the same connection.
                    if request.method != .options { lifetime.close() }
                })
        }
        let ended = stream.eventLoop.makePromise(of: Void.self)
        streams.add(ended.futureResult)
        try pipeline.addHandler(
            HTTP2Handler(server: server, dates: dates, connection: connection(of: channel), ended: ended))
    }
}

/// Fulfils a promise when an HTTP/2 connection is closed and its last stream has ended. Touched on its event loop only.
private final class StreamCount: @unchecked Sendable {
    private let ended: EventLoopPromise<Void>
    private var open = 0
    private var isClosed = false

    init(_ ended: EventLoopPromise<Void>) { self.ended = ended }

    func add(_ end: EventLoopFuture<Void>) {
        open += 1
        end.assumeIsolated().whenComplete { [self] _ in
            open -= 1
            if isClosed, open == 0 { ended.succeed() }
        }
    }

    func close() {
        isClosed = true
        if open == 0 { ended.succeed() }
    }
}

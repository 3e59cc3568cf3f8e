import CloudModel
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOHTTPTypesHTTP2
import NIOSSL
import NIOTLS

/// Speaks HTTP/1.1, and with TLS HTTP/2, on the connections of the server, within the bounds that each must keep to.
struct HTTPConnection: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        let channel: any Channel
    }

    let responder: Responder
    let gate: ConnectionGate
    let dates: DateField
    /// Nil for connections without TLS.
    let tls: TLSCertificate?
    private let live = LiveConnections()

    /// The room for the first bytes of a connection. NIO keeps it for as long as the connection lives, and doubles it for
    /// those that send more at a time.
    private static let received = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 1024, maximum: 65536)
    /// The time that a client may take to agree on TLS.
    private static let handshakeTime = TimeAmount.seconds(10)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(.recvAllocator, value: Self.received)
            let ended = channel.eventLoop.makePromise(of: Void.self)
            live.add(channel, until: ended.futureResult)
            do {
                if let tls {
                    try agree(on: tls, channel, logger, ended)
                } else {
                    try speakHTTP1(channel, logger, ended)
                }
            } catch {
                ended.succeed()
                throw error
            }
            return Value(channel: channel)
        }
    }

    /// One of these calls lasts until all connections have ended, and the server as long as any does.
    func handle(value: Value, logger: Logger) async { await live.wait() }

    private func agree(
        on tls: TLSCertificate, _ channel: any Channel, _ logger: Logger, _ ended: EventLoopPromise<Void>
    ) throws {
        let loop = channel.eventLoop
        // Until the client has agreed, nobody else ends what never came to speak.
        let silent = NIOLoopBoundBox(true, eventLoop: loop)
        let late = loop.assumeIsolated().scheduleTask(in: Self.handshakeTime) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in
            late.cancel()
            if silent.value { ended.succeed() }
        }
        let protocols = ApplicationProtocolNegotiationHandler { agreed, channel in
            loop.makeCompletedFuture {
                late.cancel()
                silent.value = false
                if agreed == .negotiated("h2") {
                    try speakHTTP2(channel, ended)
                } else {
                    try speakHTTP1(channel, logger, ended)
                }
            }
        }
        try channel.pipeline.syncOperations.addHandlers(NIOSSLServerHandler(context: tls.context), protocols)
    }

    private func speakHTTP1(_ channel: any Channel, _ logger: Logger, _ ended: EventLoopPromise<Void>) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false)
        try pipeline.addHandlers(
            EarlierRequests(), HTTP1ToHTTPServerCodec(secure: tls != nil),
            Crowding(gate: gate, recorder: responder.recorder),
            ConnectionBounds(
                connections: responder.bounds.connections, readingTime: responder.configuration.readingTime))
        try pipeline.addHandlers(bounds())
        try pipeline.addHandlers(
            HTTPConnectionStateHandler(idleTimeout: responder.configuration.idleTime, logger: logger),
            exchanges(of: channel, takesFiles: tls == nil, ended))
    }

    /// A connection that there is no room for is closed: its answer would need a stream.
    private func speakHTTP2(_ channel: any Channel, _ ended: EventLoopPromise<Void>) throws {
        let connections = responder.bounds.connections
        guard gate.enter() else {
            channel.close(promise: nil)
            return ended.succeed()
        }
        let streams = StreamCount(ended)
        channel.closeFuture.assumeIsolated().whenComplete { [gate] _ in
            gate.leave()
            connections.close(channel)
            streams.close()
        }
        ConnectionBounds.endUnread(channel, after: responder.configuration.readingTime)
        guard connections.open(channel) != nil else { return channel.close(promise: nil) }
        let pipeline = channel.pipeline.syncOperations
        _ = try pipeline.configureHTTP2Pipeline(
            mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                let ended = stream.eventLoop.makePromise(of: Void.self)
                streams.add(ended.futureResult)
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                try pipeline.addHandlers(bounds())
                try pipeline.addHandler(exchanges(of: channel, takesFiles: false, ended))
            }
        }
        try pipeline.addHandler(
            NIOHTTP2ServerConnectionManagementHandler(
                eventLoop: channel.eventLoop,
                configuration: .init(
                    maxIdleTime: TimeAmount(responder.configuration.idleTime), maxAge: nil, maxGraceTime: .seconds(8),
                    keepalive: nil)))
    }

    private func exchanges(
        of channel: any Channel, takesFiles: Bool, _ ended: EventLoopPromise<Void>
    ) -> ExchangeHandler {
        ExchangeHandler(
            responder: responder, dates: dates, takesFiles: takesFiles,
            connection: { [connections = responder.bounds.connections] in connections.connection(of: channel) },
            ended: ended)
    }

    private func bounds() -> [any ChannelHandler] {
        [
            SlowSenders(
                longest: TimeAmount(responder.configuration.requestTime),
                longestUpload: TimeAmount(responder.configuration.assetUploadTime)),
            Invitation(
                largestBody: responder.configuration.limits.requestBytes,
                assetBytes: responder.configuration.limits.assetBytes),
        ]
    }
}

/// Ends a connection of HTTP/2 when it is closed and its last stream has ended. Touched on its event loop only.
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

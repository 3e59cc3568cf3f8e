import CloudModel
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
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
    /// The number of times that a connection is read from before its bytes are looked at.
    private static let reads: UInt = 2
    /// The time that a client may take to agree on TLS, and on HTTP/2 after it.
    static let handshakeTime = TimeAmount.seconds(10)

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(.recvAllocator, value: Self.received)
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: Self.reads)
            let ended = channel.eventLoop.makePromise(of: Void.self)
            live.add(channel, until: ended.futureResult)
            do {
                let speed = ReadingSpeed(
                    least: responder.configuration.readingSpeed, over: responder.configuration.readingTime)
                try channel.pipeline.syncOperations.addHandler(speed)
                if let tls {
                    try agree(on: tls, channel, speed, logger, ended)
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
        on tls: TLSCertificate, _ channel: any Channel, _ speed: ReadingSpeed, _ logger: Logger,
        _ ended: EventLoopPromise<Void>
    ) throws {
        let loop = channel.eventLoop
        let boundSpeed = NIOLoopBound(speed, eventLoop: loop)
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
                    try speakHTTP2(channel, boundSpeed.value, ended)
                } else {
                    try speakHTTP1(channel, logger, ended)
                }
            }
        }
        let socket = TLSEnd.Socket()
        try channel.pipeline.syncOperations.addHandlers(
            socket, NIOSSLServerHandler(context: tls.context), TLSEnd(socket), protocols)
    }

    private func speakHTTP1(_ channel: any Channel, _ logger: Logger, _ ended: EventLoopPromise<Void>) throws {
        let (inbound, earlier) = (InboundBytes(), EarlierRequests())
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = HTTP1Limits.headBytes
        limits.maxHeaderFieldSize = HTTP1Limits.fieldBytes
        limits.maxHeaderFieldCount = HTTP1Limits.fields
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers(
            inbound, HTTPResponseEncoder(),
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits),
                maximumBufferSize: HTTP1Limits.decoderBytes), earlier, HTTP1ToHTTPServerCodec(secure: tls != nil),
            Admission(gate: gate, responder: responder, inbound: inbound))
        try pipeline.addHandlers(bounds())
        let speech = ExchangeHandler.Speech(
            isHTTP2: false, takesFiles: tls == nil, mayProbe: { !earlier.isSpoken }, drop: inbound.drop)
        try pipeline.addHandlers(
            HTTPConnectionStateHandler(idleTimeout: responder.configuration.idleTime, logger: logger),
            exchanges(of: channel, speech, ended))
    }

    func exchanges(
        of channel: any Channel, _ speech: ExchangeHandler.Speech, _ ended: EventLoopPromise<Void>
    ) -> ExchangeHandler {
        ExchangeHandler(
            responder: responder, dates: dates, speech: speech,
            connection: { [connections = responder.bounds.connections] in connections.connection(of: channel) },
            ended: ended)
    }

    func bounds() -> [any ChannelHandler] {
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

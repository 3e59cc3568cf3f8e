import CloudModel
import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS

/// Speaks HTTP/1.1, and with TLS HTTP/2, on the connections of the server, within the bounds that each must keep to.
struct HTTPConnection {
    let responder: Responder
    let gate: ConnectionGate
    let dates: DateField
    /// Nil for connections without TLS.
    let tls: TLSCertificate?
    let live = LiveConnections()

    /// The room for the first bytes of a connection. NIO keeps it for as long as the connection lives, and doubles it for
    /// those that send more at a time.
    private static let received = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 1024, maximum: 65536)
    /// The number of times that a connection is read from before its bytes are looked at.
    private static let reads: UInt = 2
    /// The time that a client may take to agree on TLS, and on HTTP/2 after it.
    static let handshakeTime = TimeAmount.seconds(10)

    /// Sets up a connection that was accepted.
    func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
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
                    try agree(on: tls, channel, speed, ended)
                } else {
                    try speakHTTP1(channel, ended)
                }
            } catch {
                ended.succeed()
                throw error
            }
        }
    }

    private func agree(
        on tls: TLSCertificate, _ channel: any Channel, _ speed: ReadingSpeed, _ ended: EventLoopPromise<Void>
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
                    try speakHTTP1(channel, ended)
                }
            }
        }
        let socket = TLSEnd.Socket()
        try channel.pipeline.syncOperations.addHandlers(
            socket, NIOSSLServerHandler(context: tls.context), TLSEnd(socket), protocols)
    }

    private func speakHTTP1(_ channel: any Channel, _ ended: EventLoopPromise<Void>) throws {
        let inbound = InboundBytes()
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = HTTP1Limits.headBytes
        limits.maxHeaderFieldSize = HTTP1Limits.fieldBytes
        limits.maxHeaderFieldCount = HTTP1Limits.fields
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        try channel.pipeline.syncOperations.addHandlers(
            inbound, ByteToMessageHandler(decoder, maximumBufferSize: HTTP1Limits.decoderBytes),
            HTTP1Handler(
                responder: responder, dates: dates, gate: gate, inbound: inbound, sendsFiles: tls == nil,
                connection: connection(of: channel), ended: ended))
    }

    /// Finds what is known of a connection once it is open.
    func connection(of channel: any Channel) -> () -> Connections.Connection? {
        { [connections = responder.bounds.connections] in connections.connection(of: channel) }
    }
}

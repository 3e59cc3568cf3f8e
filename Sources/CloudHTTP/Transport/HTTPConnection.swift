import CloudModel
package import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS

/// Sets up HTTP/1.1, and HTTP/2 with TLS, on accepted connections, with their limits.
package struct HTTPConnection {
    package let server: HTTPServer
    package let gate: ConnectionGate
    package let dates: DateField
    /// Nil for plain connections.
    package let tls: TLSCertificate?

    package init(server: HTTPServer, gate: ConnectionGate, dates: DateField, tls: TLSCertificate?) {
        self.server = server
        self.gate = gate
        self.dates = dates
        self.tls = tls
    }
    package let live = LiveConnections()

    /// Receive buffer sizes. NIO keeps the buffer for the connection's life, and doubles it for larger reads. A waiting
    /// poll has a buffer, too.
    private static let received = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 256, maximum: 65536)
    /// Reads per event before the bytes are processed.
    private static let reads: UInt = 2
    /// The time limit for the TLS handshake, and then for HTTP/2 SETTINGS.
    static let handshakeTime = TimeAmount.seconds(10)

    /// Sets up an accepted connection.
    func setUp(_ channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            try channel.syncOptions?.setOption(.recvAllocator, value: Self.received)
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: Self.reads)
            let ended = channel.eventLoop.makePromise(of: Void.self)
            live.add(channel, until: ended.futureResult)
            do {
                let speed = ReadingSpeed(
                    least: server.settings.readingSpeed, over: server.settings.readingTime)
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
        // Before the handshake completes, no other handler would fulfil `ended`.
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
                server: server, dates: dates, gate: gate, inbound: inbound, sendsFiles: tls == nil,
                connection: connection(of: channel), ended: ended))
    }

    /// Returns a lookup of the connection's entry, for use once the channel is open.
    package func connection(of channel: any Channel) -> () -> Connections.Connection? {
        { [connections = server.bounds.connections] in connections.connection(of: channel) }
    }
}

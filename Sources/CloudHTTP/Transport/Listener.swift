import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle

/// Listens at an address and serves its connections; returns after shutdown and the end of the last connection.
package struct Listener: Service {
    private static let backlog: Int32 = 4096

    package let host: String
    package let port: Int
    package let connection: HTTPConnection
    /// Called with the listening socket.
    package var onListening: @Sendable (any Channel) async -> Void

    package init(
        host: String, port: Int, connection: HTTPConnection,
        onListening: @escaping @Sendable (any Channel) async -> Void
    ) {
        self.host = host
        self.port = port
        self.connection = connection
        self.onListening = onListening
    }

    /// - Throws: errors of binding the address.
    package func run() async throws {
        let connection = connection
        let socket = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { [gate = connection.gate] socket in
                socket.eventLoop.makeCompletedFuture {
                    try socket.pipeline.syncOperations.addHandler(AcceptedConnections(gate))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { connection.setUp($0) }
            .bind(host: host, port: port).get()
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await onListening(socket)
                try? await socket.closeFuture.get()
                await connection.live.wait()
            } onGracefulShutdown: {
                socket.close(promise: nil)
                connection.live.stop()
            }
        } onCancel: {
            socket.close(promise: nil)
        }
    }
}

/// Pauses accepting while the gate is full; further clients wait in the listen backlog. Runs on the listening socket's loop.
final class AcceptedConnections: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let gate: ConnectionGate
    private var isHeld = false

    init(_ gate: ConnectionGate) { self.gate = gate }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        gate.connectionOpened()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
            let (handler, context) = bound.value
            handler.closed(context)
        }
        context.fireChannelRead(data)
    }

    private func closed(_ context: ChannelHandlerContext) {
        gate.connectionClosed()
        guard isHeld, gate.isAcceptingNewConnections() else { return }
        isHeld = false
        context.read()
    }

    func read(context: ChannelHandlerContext) {
        if gate.isAcceptingNewConnections() { context.read() } else { isHeld = true }
    }
}

import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Listens at an address, and serves the connections that come, until the server stops and the last has ended.
struct Listener: Service {
    private static let backlog: Int32 = 4096

    let host: String
    let port: Int
    let connection: HTTPConnection
    /// Told of the socket once it listens.
    var onListening: @Sendable (any Channel) async -> Void

    /// - Throws: what keeps the address from being listened at.
    func run() async throws {
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

/// Accepts no more connections than the gate has room for; the others wait in the system. On the listening socket's loop.
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

@testable import CloudHTTP
import TestCloud
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

/// A server waits for its connections.
@Suite(.timeLimit(.minutes(5)))
struct LiveConnectionsTests {
    private let connections = LiveConnections()

    /// A connection, and what ends it and its last answer.
    private func open() -> (channel: NIOAsyncTestingChannel, end: EventLoopPromise<Void>) {
        let channel = NIOAsyncTestingChannel()
        let end = channel.eventLoop.makePromise(of: Void.self)
        connections.add(channel, until: end.futureResult)
        return (channel, end)
    }

    @Test("One waiter waits until all connections have ended, and the others return at once")
    func waiters() async throws {
        let connections = connections
        await connections.wait()
        let (first, second) = (open(), open())
        let waits = (0..<3).map { number in
            Task {
                await connections.wait()
                return number
            }
        }
        let (ended, tell) = AsyncStream.makeStream(of: Int.self)
        for wait in waits { Task { tell.yield(await wait.value) } }
        var over = ended.makeAsyncIterator()
        let early = [await over.next(), await over.next()]
        first.end.succeed()
        await first.channel.testingEventLoop.run()
        second.end.succeed()
        await second.channel.testingEventLoop.run()
        let last = await over.next()
        #expect(Set(early + [last]) == [0, 1, 2])
        // Whoever comes later waits again.
        let third = open()
        async let again: Void = connections.wait()
        third.end.succeed()
        await third.channel.testingEventLoop.run()
        await again
    }

    @Test("Cancelling the server closes its connections")
    func cancelled() async throws {
        let (channel, end) = open()
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1))
        let connections = connections
        let isClosed = Atomic(false)
        channel.closeFuture.whenComplete { _ in
            isClosed.store(true, ordering: .relaxed)
            end.succeed()
        }
        let wait = Task { await connections.wait() }
        wait.cancel()
        // The task may begin later than this.
        while !isClosed.load(ordering: .relaxed) {
            await channel.testingEventLoop.run()
            await Task.yield()
        }
        await wait.value
    }
}

import NIOCore

/// The body of a request while its bytes come, no faster than they are taken.
struct RequestInflow: AsyncSequence, Sendable {
    fileprivate typealias Producer = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Delegate
    >

    private let sequence: Producer
    let source: Source

    /// - Parameter begun: the bytes that have come already.
    init(of exchange: Exchange, begun: ByteBuffer) {
        let made = Producer.makeSequence(
            backPressureStrategy: .init(lowWatermark: 2, highWatermark: 10), finishOnDeinit: false,
            delegate: Delegate(exchange: exchange))
        sequence = made.sequence
        source = Source(made.source)
        if begun.readableBytes > 0 { source.yield(begun) }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterator: sequence.makeAsyncIterator()) }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let iterator: Producer.AsyncIterator

        func next() async throws -> ByteBuffer? { try await iterator.next() }
    }

    /// The connection's end of the body. Touched on its event loop only.
    final class Source: @unchecked Sendable {
        private let source: Producer.Source
        /// True while no more is to be read from the connection.
        var isFull = false

        fileprivate init(_ source: Producer.Source) { self.source = source }

        func yield(_ bytes: ByteBuffer) { isFull = source.yield(bytes) == .stopProducing }

        func finish() { source.finish() }

        func finish(_ error: any Error) { source.finish(error) }
    }

    /// Tells the connection that there is room again, or that nobody reads any more.
    fileprivate struct Delegate: NIOAsyncSequenceProducerDelegate {
        weak let exchange: Exchange?

        func produceMore() { readOn() }

        func didTerminate() { readOn() }

        private func readOn() {
            guard let exchange else { return }
            exchange.onLoop { $0.readOn(for: exchange) }
        }
    }
}

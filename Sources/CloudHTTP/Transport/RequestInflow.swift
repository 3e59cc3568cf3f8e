package import NIOCore

/// A request body as a stream with backpressure.
package struct RequestInflow: AsyncSequence, Sendable {
    fileprivate typealias Producer = NIOThrowingAsyncSequenceProducer<
        ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Delegate
    >

    private let sequence: Producer
    package let source: Source

    /// - Parameters:
    ///   - begun: the bytes received so far.
    ///   - unread: counts buffered bytes.
    ///   - window: bytes that HTTP/2 buffers itself while the body is not read; 0 for HTTP/1.1.
    package init(of exchange: Exchange, begun: ByteBuffer, unread: RequestsInFlight.Unread, window: Int) {
        let made = Producer.makeSequence(
            backPressureStrategy: .init(lowWatermark: 2, highWatermark: 2), finishOnDeinit: false,
            delegate: Delegate(exchange: exchange))
        sequence = made.sequence
        source = Source(made.source, unread, window: window)
        if begun.readableBytes > 0 { source.yield(begun) }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: sequence.makeAsyncIterator(), unread: source.unread)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let iterator: Producer.AsyncIterator
        fileprivate let unread: RequestsInFlight.Unread

        package func next() async throws -> ByteBuffer? {
            let bytes = try await iterator.next()
            if let bytes { unread.release(bytes.readableBytes) }
            return bytes
        }
    }

    /// The connection's end of the stream. Touched on its event loop only.
    package final class Source: @unchecked Sendable {
        private let source: Producer.Source
        fileprivate let unread: RequestsInFlight.Unread
        /// True while the connection pauses reading. HTTP/2 then buffers up to a window of bytes.
        var isFull = false {
            didSet {
                guard isFull != oldValue, !isRefused else { return }
                if isFull { count(window) } else { unread.release(window) }
            }
        }
        private var isRefused = false
        private let window: Int

        fileprivate init(_ source: Producer.Source, _ unread: RequestsInFlight.Unread, window: Int) {
            self.source = source
            self.unread = unread
            self.window = window
        }

        /// Passes bytes to the reader. Bytes over the limit, and all later bytes, are dropped, and the reader's next read
        /// throws the refusal.
        package func yield(_ bytes: ByteBuffer) {
            count(bytes.readableBytes)
            if !isRefused { isFull = source.yield(bytes) == .stopProducing }
        }

        private func count(_ bytes: Int) {
            guard !isRefused else { return }
            do { try unread.take(bytes) } catch {
                isRefused = true
                isFull = false
                source.finish(error)
            }
        }

        package func finish(_ error: (any Error)? = nil) {
            isFull = false
            if let error { source.finish(error) } else { source.finish() }
        }
    }

    /// Resumes reading when the buffer has room or the reader has finished.
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

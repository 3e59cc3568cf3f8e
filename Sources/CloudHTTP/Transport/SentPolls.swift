import NIOCore
import NIOPosix

/// Collects the answered polls of an event loop, to acknowledge their messages in groups. Runs after the loop's pending
/// answers; the connections then continue.
///
/// State: touched on the event loop only.
final class SentPolls: @unchecked Sendable {
    /// The instance of the current thread's event loop.
    private static let ofThread = ThreadSpecificVariable<SentPolls>()

    private let loop: any EventLoop
    private var exchanges: [ObjectIdentifier: Exchange] = [:]
    private var deliveries: [any MessageDelivery] = []

    private init(_ loop: any EventLoop) { self.loop = loop }

    /// Adds an answered poll. On its connection's event loop.
    static func add(_ exchange: Exchange, _ delivery: any MessageDelivery) {
        let loop = exchange.channel.eventLoop
        let sent: SentPolls
        if let known = ofThread.currentValue, known.loop === loop {
            sent = known
        } else {
            sent = SentPolls(loop)
            ofThread.currentValue = sent
        }
        sent.exchanges[ObjectIdentifier(delivery)] = exchange
        sent.deliveries.append(delivery)
        guard sent.deliveries.count == 1 else { return }
        loop.execute { sent.record() }
    }

    private func record() {
        let deliveries = deliveries
        self.deliveries.removeAll(keepingCapacity: true)
        deliveries[0].record(deliveries) { [self] recorded in
            loop.execute {
                for delivery in recorded {
                    delivery.end()
                    self.exchanges.removeValue(forKey: ObjectIdentifier(delivery))?.endPoll()
                }
            }
        }
    }
}

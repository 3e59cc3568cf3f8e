import CloudHTTP
import CloudStore

/// The delivery of a handed-over message.
final class HandedDelivery: MessageDelivery {
    private let reader: TokenReader
    private let message: TokenReader.Message
    private let listener: NotificationListener

    init(_ reader: TokenReader, _ message: TokenReader.Message, _ listener: NotificationListener) {
        self.reader = reader
        self.message = message
        self.listener = listener
    }

    /// Lets the token's next poll in.
    func end() { listener.leave() }

    func record(
        _ deliveries: [any MessageDelivery], _ recorded: @escaping @Sendable ([any MessageDelivery]) -> Void
    ) {
        let deliveries = deliveries.compactMap { $0 as? HandedDelivery }
        for (_, group) in Dictionary(grouping: deliveries, by: { Key($0) }) {
            group[0].reader.note(group.map(\.message)) { recorded(group) }
        }
    }

    /// Messages of one registration are recorded together.
    private struct Key: Hashable {
        let reader: ObjectIdentifier
        let source: EventPosition.Source

        init(_ delivery: HandedDelivery) {
            (reader, source) = (ObjectIdentifier(delivery.reader), delivery.message.source)
        }
    }
}

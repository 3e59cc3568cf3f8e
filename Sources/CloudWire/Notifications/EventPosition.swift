package import CloudAccounts
package import CloudModel
package import CloudStore

/// A position in a token's event stream: the last message of each registered environment.
package struct EventPosition: Hashable, Sendable {
    package struct Source: Hashable, Sendable {
        package let container: Int64
        package let environment: ContainerEnvironment

        package init(container: Int64, environment: ContainerEnvironment) {
            self.container = container
            self.environment = environment
        }

        package init(_ place: PushToken.Registration) {
            self.init(container: place.container.id, environment: place.environment)
        }

        package var place: NotificationLog.EnvironmentKey {
            NotificationLog.EnvironmentKey(container: container, environment: environment)
        }
    }

    package struct Last: Hashable, Sendable {
        package let source: Source
        package let message: DeliveredMessage
    }

    package var ids: [Source: Int64] = [:]
    /// The last event, confirmed by its reader even if its delivery was never recorded.
    package var last: Last?

    package init() {}

    /// Advances past a message. A changed message keeps its number, which may be smaller than numbers sent before.
    mutating func reach(_ notification: QueuedNotification, from source: Source) {
        ids[source] = max(ids[source] ?? 0, notification.id)
        last = Last(
            source: source,
            message: DeliveredMessage(
                id: notification.id, revision: notification.revision, isPruned: notification.isPruned))
    }

    private static let version: UInt8 = 2
    private static let (size, lastSize) = (17, 25)

    /// The `id` of an event: an opaque base64url text without padding.
    package var text: String {
        var bytes = [Self.version, last == nil ? 0 : 1]
        if let last {
            bytes.append(Self.mark(last.source) | (last.message.isPruned ? 2 : 0))
            bytes += Self.bytes(last.source.container, last.message.id, last.message.revision)
        }
        let sorted = ids.sorted {
            ($0.key.container, $0.key.environment.rawValue) < ($1.key.container, $1.key.environment.rawValue)
        }
        for (source, id) in sorted {
            bytes.append(Self.mark(source))
            bytes += Self.bytes(source.container, id)
        }
        return Base64URL.encode(bytes)
    }

    private static func mark(_ source: Source) -> UInt8 { source.environment == .production ? 1 : 0 }

    private static func bytes(_ numbers: Int64...) -> [UInt8] {
        numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    }

    /// Nil for malformed text.
    package init?(_ text: String) {
        guard let data = Base64URL.decode(text), data.count >= 2, data[0] == Self.version, data[1] < 2 else {
            return nil
        }
        let start = 2 + Int(data[1]) * Self.lastSize
        guard data.count >= start, (data.count - start).isMultiple(of: Self.size) else { return nil }
        func number(_ first: Int) -> Int64 { data[first..<first + 8].reduce(0) { $0 << 8 | Int64($1) } }
        func source(_ first: Int) -> Source {
            Source(
                container: number(first + 1), environment: data[first] & 1 == 1 ? .production : .development)
        }
        if data[1] == 1 {
            last = Last(
                source: source(2),
                message: DeliveredMessage(id: number(11), revision: number(19), isPruned: data[2] & 2 != 0))
        }
        for start in stride(from: start, to: data.count, by: Self.size) { ids[source(start)] = number(start + 9) }
    }
}

package import CloudAccounts
package import CloudWire
import CloudModel
import CloudStore

extension EmulatorHooks {
    /// The interval of polling for a later notification.
    private static let pause = Duration.milliseconds(20)

    /// Applies a fault: the message to deliver instead of `message`; nil after a loss, to continue with the next.
    package func delivered(
        _ message: TokenReader.Message, to token: PushToken, by reader: TokenReader
    ) async throws -> TokenReader.Message? {
        guard !faults.isEmpty, !message.notification.isDelivered else { return message }
        let place = message.place
        let key = PushKey(
            token: token.id, container: message.source.container, environment: message.source.environment,
            notification: message.notification.id)
        let subject = FaultSubject(
            route: "", isPush: true, container: place.container.name,
            userNames: try await faults.names(of: place.user, in: place.container, accounts))
        guard let fate = faults.fate(of: key, subject), let fault = fate.fault else { return message }
        switch fault {
        case .lost:
            try await store(of: message, reader).notifications.acknowledge([message.notification], keeping: false)
            faults.end(key)
            return nil
        case .twice:
            faults.end(key)
            var first = message
            first.comesAgain = true
            return first
        case .late:
            try await Task.sleep(until: fate.end)
            faults.end(key)
            return message
        case .swapped:
            let next = try await next(after: message, of: token, by: reader, until: fate.end)
            faults.end(key)
            return next ?? message
        }
    }

    private func next(
        after message: TokenReader.Message, of token: PushToken, by reader: TokenReader,
        until end: ContinuousClock.Instant
    ) async throws -> TokenReader.Message? {
        repeat {
            let next = try await store(of: message, reader).notifications.list(
                token: token.id, after: message.notification.id, limit: 1
            ).first
            if let next { return TokenReader.Message(notification: next, place: message.place) }
            try await Task.sleep(for: Self.pause)
        } while .now < end
        return nil
    }

    private func store(of message: TokenReader.Message, _ reader: TokenReader) async throws -> EnvironmentStore {
        try await reader.stores.store(container: message.place.container, environment: message.place.environment)
    }
}

import CloudModel
import CloudStore

extension TokenReader {
    /// The interval of polling for a later notification.
    private static let pause = Duration.milliseconds(20)

    /// Applies a fault: the message to deliver instead of `message`; nil after a loss, to continue with the next.
    func faulted(_ message: Message, to token: PushToken) async throws -> Message? {
        guard let faults, !faults.isEmpty, !message.notification.isDelivered else { return message }
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
            try await store(of: message).notifications.acknowledge([message.notification], keeping: false)
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
            let next = try await next(after: message, of: token, until: fate.end)
            faults.end(key)
            return next ?? message
        }
    }

    private func next(
        after message: Message, of token: PushToken, until end: ContinuousClock.Instant
    ) async throws -> Message? {
        repeat {
            let next = try await store(of: message).notifications.list(
                token: token.id, after: message.notification.id, limit: 1
            ).first
            if let next { return Message(notification: next, place: message.place) }
            try await Task.sleep(for: Self.pause)
        } while .now < end
        return nil
    }

    private func store(of message: Message) async throws -> EnvironmentStore {
        try await stores.store(container: message.place.container, environment: message.place.environment)
    }
}

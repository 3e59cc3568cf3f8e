import CloudModel
import CloudStore

extension ShareEndpoints {
    /// `records/accept` (reference B §9.7): makes the caller a participant of the shares.
    package static let accept: Endpoint = { call in
        let person = try await call.sharingPerson()
        return try await call.shares {
            try await call.store.shares.accept(
                $0, as: person, knowsPassword: false, clientID: try call.clientID(), limits: call.limits)
        }
    }
}

import CloudModel
import CloudStore

extension ShareEndpoints {
    /// `records/resolve` (reference B §9.6): describes shares without joining them.
    package static let resolve: Endpoint = { call in
        let person = try await call.sharingPerson()
        return try await call.shares { try await call.store.shares.resolve($0, as: person) }
    }
}

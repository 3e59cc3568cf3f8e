import CloudModel
import CloudStore

extension UserEndpoints {
    /// POST `users/lookup/id` (reference B §5.5).
    package static let lookUpByID: Endpoint = { call in
        try await call.lookUpUsers(named: .recordName)
    }
}

import CloudModel
import CloudStore

extension UserEndpoints {
    /// POST `users/lookup/email` (reference B §5.5).
    package static let lookUpByEmail: Endpoint = { call in
        try await call.lookUpUsers(named: .email)
    }
}

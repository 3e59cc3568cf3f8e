import CloudHTTP
import CloudModel

/// The claim of a target's last request, which holds for the same target until credentials change or the session has to be
/// extended.
final class KnownClaim: Sendable {
    let claim: Authenticator.Claim
    private let place: RequestPlace
    private let scope: DatabaseScope
    private let revision: Int64
    private let end: Timestamp

    /// - Parameters:
    ///   - revision: the accounts' revision of the claim.
    ///   - end: the time of the session's next extension, or of its end.
    init(_ claim: Authenticator.Claim, _ request: CredentialedRequest, at revision: Int64, until end: Timestamp) {
        self.claim = claim
        (place, scope) = (request.place, request.scope)
        self.revision = revision
        self.end = end
    }

    /// The claim kept for a request's target; nil if none is.
    static func of(_ request: CredentialedRequest) -> KnownClaim? { request.request.memory.value as? KnownClaim }

    /// False once credentials were changed or removed, or the session has to be extended.
    func holds(for request: CredentialedRequest, at revision: Int64, now: Timestamp) -> Bool {
        revision == self.revision && now < end && request.scope == scope && request.place == place
    }
}

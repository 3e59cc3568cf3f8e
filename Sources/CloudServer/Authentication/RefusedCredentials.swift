import CloudModel
import Hummingbird

extension Responder {
    /// Notes credentials that were given and are wrong. Who gives none has guessed nothing.
    func noteRefusal(_ error: any Error, _ request: Request, _ route: Router.Route, _ context: Context) {
        guard let error = error as? ServerError, error.code == .authenticationFailed else { return }
        let client = ClientAddress(
            headers: request.headers, peer: context.peer, trustForwardedFor: configuration.trustForwardedFor)
        if case .admin(let match) = route {
            guard request.headers[.authorization] != nil else { return }
            site.security.note(.wrongManagementToken, from: client, ["container": match.container])
        } else if SignatureHeaders.present(in: request.headers) {
            site.security.note(.wrongSignature, from: client, ["container": route.place?.container])
        } else if Self.query(of: request).apiToken != nil {
            site.security.note(.wrongAPIToken, from: client, ["container": route.place?.container])
        }
    }
}

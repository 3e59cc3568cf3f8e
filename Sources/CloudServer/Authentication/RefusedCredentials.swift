import CloudModel
import CloudStore
import Hummingbird

extension Responder {
    /// Notes credentials that were given and are wrong. Who gives none has guessed nothing.
    func noteRefusal(_ error: any Error, _ request: Request, _ route: Router.Route, _ context: Context) {
        noteContainer(route, context.trace)
        guard let error = error as? ServerError, error.code == .authenticationFailed else { return }
        // What else was named may be any text, a misplaced token among them.
        let container = context.trace.notes.container
        let client = ClientAddress(
            headers: request.headers, peer: context.peer, trustForwardedFor: configuration.trustForwardedFor)
        if case .admin(let match) = route {
            guard request.headers[.authorization] != nil else { return }
            site.security.note(.wrongManagementToken, from: client, ["container": container])
        } else if SignatureHeaders.present(in: request.headers) {
            site.security.note(.wrongSignature, from: client, ["container": container])
        } else if Self.query(of: request).apiToken != nil {
            site.security.note(.wrongAPIToken, from: client, ["container": container])
        }
    }

    /// Notes the container that a refused request named, if there is one: its operators may ask why.
    private func noteContainer(_ route: Router.Route, _ trace: RequestTrace) {
        guard trace.notes.container == nil, let name = route.named,
            let container = try? accounts.reader().container(named: name)
        else { return }
        trace.note(container: container.name)
    }
}

extension Router.Route {
    /// The container that the path names, whether or not there is one.
    fileprivate var named: String? {
        guard case .admin(let match) = self else { return place?.container }
        return match.container
    }
}

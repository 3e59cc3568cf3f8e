import CloudAccounts
import CloudHTTP
import CloudWire
import CloudModel

extension Responder {
    /// Notes wrong credentials. Missing credentials are no guess.
    func noteRefusal(
        _ error: any Error, _ request: Request, _ match: RouteMatch, _ route: WireRoute, _ context: Context
    ) async {
        await noteContainer(match, context.trace)
        guard let error = error as? ServerError, error.code == .authenticationFailed else { return }
        // A refused identity token is noted with the provider.
        if case .credentials(.provider) = error.cause { return }
        // Other names in the request may be arbitrary text, even a misplaced token.
        let container = context.trace.notes.container
        let client = configuration.client(of: request, context)
        if case .admin = route {
            guard request.headers[.authorization] != nil else { return }
            service.security.note(.wrongManagementToken, from: client, ["container": container])
        } else if SignatureHeaders.present(in: request.headers) {
            service.security.note(.wrongSignature, from: client, ["container": container])
        } else if request.parameters.apiToken != nil {
            service.security.note(.wrongAPIToken, from: client, ["container": container])
        }
    }

    /// Notes the container named by a refused request if the container exists, for its operators.
    private func noteContainer(_ match: RouteMatch, _ trace: RequestTrace) async {
        guard trace.notes.container == nil, let name = match.values.container,
            let container = try? await accounts.reader().container(named: name)
        else { return }
        trace.note(container: container.name)
    }
}

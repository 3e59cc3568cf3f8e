import CloudModel
import CloudOperations
import Hummingbird

/// An endpoint of the console: a call by somebody who was let in.
typealias ConsoleEndpoint = @Sendable (ConsoleCall) async throws -> Response

/// Lets an operator into the console. So far that is whoever is at the machine of a development server.
enum ConsoleGate {
    static func admitting(_ endpoint: @escaping ConsoleEndpoint) -> PageEndpoint {
        { page in
            try requireDevelopment(page)
            if page.request.method == .post { try page.requireOwnForm() }
            let operations = StoreOperations(
                workplace: page.site.workplace(
                    links: try AssetLinks(
                        accounts: page.site.accounts, lifetime: page.site.configuration.assetLinkLifetime),
                    origin: page.site.origin.text(authority: page.request.head.authority)),
                identity: OperatorIdentity(name: "console (--dev)"))
            return try await endpoint(ConsoleCall(page: page, operations: operations))
        }
    }

    /// Of a development server anybody may do anything, so its console is open to this machine alone, and to pages of
    /// no other site.
    private static func requireDevelopment(_ page: PageCall) throws(PageError) {
        let configuration = page.site.configuration
        guard configuration.dev else {
            throw PageError(
                .forbidden, "The console is closed",
                "It is open with --dev on this machine. On other servers 'cumulus' and the admin API do the same work.",
                .credentials(.notForTests))
        }
        if let fault = DevelopmentGate(configuration).fault(page.request.head) {
            throw PageError(.forbidden, "The console is closed", fault.text + ".", .credentials(.notForTests))
        }
        guard isThisMachine(page.client, configuration) else {
            throw PageError(
                .forbidden, "The console is closed", "It is open to the machine that the server runs on.",
                .credentials(.notForTests))
        }
    }

    private static func isThisMachine(_ client: ClientAddress?, _ configuration: ServerConfiguration) -> Bool {
        guard let client else { return ["127.0.0.1", "::1", "localhost"].contains(configuration.host) }
        return client.text.hasPrefix("127.") || client.text == "0:0:0:0::/64"
    }
}

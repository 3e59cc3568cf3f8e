import CloudAccounts
import CloudHTTP
import CloudWire
import CloudPages
import CloudModel
import CloudOperations

/// A console endpoint, called after admission.
typealias ConsoleEndpoint = @Sendable (ConsoleCall) async throws -> Response

/// Admits signed-in operators to the console. A development server admits requests from its own machine instead.
enum ConsoleGate {
    /// - Parameters:
    ///   - isLook: true for a form without changes, which is not logged.
    ///   - isForm: false to accept a POST without a form guard.
    static func admitting(isLook: Bool = false, isForm: Bool = true, _ endpoint: @escaping ConsoleEndpoint)
        -> PageEndpoint
    {
        { page in
            let known: ServerOperator?
            if page.site.isDevelopment {
                try DevelopmentConsole.require(page)
                known = nil
            } else {
                try requireEnabled(page)
                guard let login = try await page.consoleLogin(), login.isComplete else { return try signIn(page) }
                known = login.operator
            }
            let operations = StoreOperations(
                workplace: page.site.wire.workplace(origin: page.site.wire.origin(of: page.request)),
                identity: known.map(OperatorIdentity.init) ?? OperatorIdentity(name: "console (--dev)"))
            let call = ConsoleCall(page: page, operations: operations, operator: known)
            do {
                if page.request.method == .post, isForm { try page.requireOwnForm() }
                return try await answer(call, isLook: isLook, endpoint)
            } catch {
                return try await RefusalPage.make(error, call)
            }
        }
    }

    private static func answer(
        _ call: ConsoleCall, isLook: Bool, _ endpoint: ConsoleEndpoint
    ) async throws -> Response {
        let (response, page) = (try await endpoint(call), call.page)
        if let known = call.operator, page.request.method == .post, !isLook {
            page.site.security.note(
                .adminChange, from: page.client,
                ["by": "operator \(known.account.handle)", "change": "\(page.request.path)"])
        }
        return response
    }

    /// Admits everybody to the console's sign-in pages.
    static func signingIn(_ endpoint: @escaping PageEndpoint) -> PageEndpoint {
        { page in
            if page.site.isDevelopment {
                try DevelopmentConsole.require(page)
                return .seeOther(ConsoleView.overview.path)
            }
            try requireEnabled(page)
            if page.request.method == .post { try page.requireOwnForm() }
            return try await endpoint(page)
        }
    }

    private static func requireEnabled(_ page: PageCall) throws(PageError) {
        guard page.site.settings.consoleIsEnabled else {
            throw PageError(
                .forbidden, english: "The console is closed",
                "The setting console.enabled opens it to operators. 'cumulus' and the admin API do the same work.",
                .credentials(.notForTests))
        }
    }

    /// A redirect to the sign-in page and back. A submitted form is lost, and gets an error page.
    private static func signIn(_ page: PageCall) throws(PageError) -> Response {
        guard page.request.method == .get else {
            throw PageError(
                .unauthorized, english: "You are signed out",
                "Nothing was changed. Sign in to the console and try again.",
                .credentials(.notSignedIn))
        }
        return .seeOther(ConsoleAddress.make("/console/signin", [("return", page.request.target)]))
    }
}

/// The console of a development server. Without a sign-in, access is limited to requests from this machine, outside
/// other sites' pages.
private enum DevelopmentConsole {
    static func require(_ page: PageCall) throws(PageError) {
        let http = page.site.wire.http
        if let fault = DevelopmentGate(http).fault(page.request.head) {
            throw PageError(.forbidden, english: "The console is closed", fault.text + ".", .credentials(.notForTests))
        }
        guard isThisMachine(page.client, http), ForwardedRequest.field(page.request.headers) == nil else {
            throw PageError(
                .forbidden, english: "The console is closed",
                "It is open to the machine that the server runs on, and to no proxy.",
                .credentials(.notForTests))
        }
    }

    private static func isThisMachine(_ client: ClientAddress?, _ http: HTTPSettings) -> Bool {
        guard let client else { return ["127.0.0.1", "::1", "localhost"].contains(http.host) }
        return client.text.hasPrefix("127.") || client.text == "0:0:0:0::/64"
    }
}

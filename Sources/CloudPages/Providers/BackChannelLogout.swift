import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import CloudWire

/// `POST /auth/with/{name}/logout`: a provider tells that a person signed out there (OpenID Connect Back-Channel Logout 1.0).
enum BackChannelLogout {
    /// How long the id of a token is remembered, in seconds: longer than a token is good.
    private static let memory: Int64 = 300

    static let submit: PageEndpoint = { call in
        let attempt = GuessingLimits.Attempt(guess: .logoutToken, client: call.client)
        try call.site.guessing.take(attempt)
        do {
            let ended = try await end(call)
            call.site.guessing.giveBack(attempt)
            call.site.security.note(
                .providerSignOut, from: call.client, ["provider": call.parameters[0], "sessions": "\(ended)"])
            return answer(nil)
        } catch let refusal as ProviderRefusal {
            call.site.security.note(
                .providerRefused, from: call.client,
                ["provider": String(call.parameters[0].prefix(64)), "at": "logout", "reason": refusal.reason])
            call.trace.refuse("logout token", .credentials(.provider(reason: refusal.reason)))
            return answer(refusal.reason)
        }
    }

    /// - Returns: the number of ended sessions.
    private static func end(_ call: PageCall) async throws -> Int {
        guard let provider = try await call.site.accounts.providers.find(name: call.parameters[0]) else {
            throw ProviderRefusal("there is no such provider")
        }
        let texts = call.form.all("logout_token")
        guard texts.count == 1 else { throw ProviderRefusal("logout_token is missing, or there twice") }
        let token: LogoutToken
        do { token = try await call.site.wire.providers.check(logout: texts[0], of: provider) } catch let fault
            as TokenFault
        {
            throw ProviderRefusal(fault.rawValue)
        } catch let fault as ProviderFault {
            throw ProviderRefusal(fault)
        }
        let expires = Timestamp(wholeSeconds: call.site.accounts.now().wholeSeconds + memory)
        let ticket = SignInTicket(logout: token.id, of: provider.name, issuer: provider.issuer, expires: expires)
        guard
            let notice = ProviderSignOut(
                provider: provider.name, issuer: provider.issuer, subject: token.subject, session: token.sessionID)
        else { throw ProviderRefusal(TokenFault.session.rawValue) }
        guard let ended = try await call.site.accounts.identities.end(notice, redeeming: ticket) else {
            throw ProviderRefusal("the token has been used")
        }
        return ended
    }

    /// - Parameter fault: one clause; nil for none.
    private static func answer(_ fault: String?) -> Response {
        guard let fault else { return Response(status: .ok, headers: [.cacheControl: "no-store"]) }
        var writer = JSONWriter()
        writer.object {
            $0.member("error", "invalid_request")
            $0.member("error_description", fault)
        }
        var response = Response.json(writer, status: .badRequest)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}

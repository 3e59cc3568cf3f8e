import CloudAccounts
import CloudIdentity
import CloudModel

/// Checks an app's identity token, and signs its person in.
struct IdentityTokenSignIn: Sendable {
    let app: AppCredentials
    let provider: SignInProvider
    let service: WireService

    func signIn(_ asked: ExchangeRequest) async throws -> AppLogin {
        let now = service.accounts.now()
        guard let ticket = service.exchangeNonces.open(asked.nonce, for: app.place, now: now) else {
            throw Self.refused(
                "nonce: it is not this server's, has expired, or was made for another API token",
                "the nonce is not good")
        }
        guard try await !service.accounts.sessions.isUsed(ticket) else { throw Self.used }
        let token = try await checked(asked)
        var proven = ProvenSignIn(token, at: provider, now: now)
        if proven.person.givenName == nil, proven.person.familyName == nil {
            (proven.person.givenName, proven.person.familyName) = (asked.givenName, asked.familyName)
        }
        let outcome = try await service.accounts.identities.exchange(
            proven.person, admitting: proven.verdict, roles: proven.roles, redeeming: ticket,
            in: app.session(persistent: asked.persistent))
        switch outcome {
        case .signedIn(let login):
            if let roles = proven.roles {
                try await service.follow(roles, of: login.account, by: proven.person)
            } else {
                // A sign-in that confirms the address ends other identities, and what their groups gave.
                try await service.takeWithdrawnRoles(of: login.account.id)
            }
            await keepGrant(asked, token, proven.person)
            return login
        case .ownsAddress: throw Self.ownsAddress
        case .refused(.used): throw Self.used
        case .refused(let refusal):
            throw ServerError(
                .accessDenied, "the person may not sign in: \(known: refusal.reason)",
                .credentials(.provider(reason: refusal.reason)))
        }
    }

    private func checked(_ asked: ExchangeRequest) async throws -> IDToken {
        let audiences = try audiences()
        do {
            var rules = try await service.providers.rules(of: provider, nonce: .rawOrDigest(of: asked.nonce))
            rules.audiences = audiences
            // Tokens for other apps of the same team are refused.
            rules.knownClients = []
            return try await service.providers.check(asked.idToken, by: rules, of: provider)
        } catch let fault as TokenFault {
            throw Self.refused("idToken: \(known: fault.rawValue)", fault.rawValue)
        } catch let fault as ProviderFault {
            throw ServerError(
                .tryAgainLater, "the provider cannot be asked at the moment",
                .credentials(.provider(reason: fault.reason)), retryAfter: 60)
        }
    }

    /// Ids that both the provider and the API token name.
    private func audiences() throws -> [String] {
        let known = [provider.clientID] + provider.nativeAudiences
        guard let own = app.audiences else { return known }
        let audiences = known.filter { own.containsExactly($0) }
        guard !audiences.isEmpty else {
            let reason = "the API token has no audience of the provider"
            throw ServerError(
                .accessDenied,
                "\(known: reason); make one with 'cumulus token create --audience', and name the id for the provider",
                .credentials(.provider(reason: reason)))
        }
        return audiences
    }

    private func keepGrant(_ asked: ExchangeRequest, _ token: IDToken, _ person: ProvenPerson) async {
        guard provider.kind == .apple, let code = asked.authorizationCode, let client = token.client else { return }
        await AppleGrants(service).redeem(code: code, client: client, of: person, at: provider)
    }

    private static func refused(_ sentence: Reason, _ reason: String) -> ServerError {
        ServerError(.authenticationFailed, sentence, .credentials(.provider(reason: reason)))
    }

    private static let used = refused("nonce: it has been used", IdentityRefusal.used.reason)

    /// The answer has a `redirectURL`, as clients know it.
    private static let ownsAddress = ServerError(
        .authenticationRequired,
        "an account has the person's address already; have them sign in at redirectURL, where they connect it",
        .credentials(.provider(reason: "an account has the person's address, and its owner has to connect it")))
}

package import CloudAccounts
import CloudHTTP
import CloudIdentity
import CloudModel
import Logging

/// Apple's refresh tokens, which are kept so that leaving here ends the connection there.
package struct AppleGrants: Sendable {
    private let service: WireService

    package init(_ service: WireService) { self.service = service }

    /// Redeems the code that an app got, and keeps the token. A failure is logged and keeps nobody out.
    ///
    /// - Parameter client: the bundle id of the app.
    func redeem(code: String, client: String, of person: ProvenPerson, at provider: SignInProvider) async {
        do {
            let answer = try await service.providers.redeem(
                code: code, redirect: nil, proof: nil, client: client, of: provider)
            // The code may be another person's, whose token must not be revoked in place of this one's.
            var rules = try await service.providers.rules(of: provider, nonce: .unchecked)
            rules.audiences = [client]
            rules.longestAge = nil
            let token = try await service.providers.check(answer.idToken ?? "", by: rules, of: provider)
            guard token.subject.isExactly(person.subject) else {
                return warn(provider, "the code is another person's")
            }
            await keep(answer.refreshToken.map { ProviderSecret($0) }, client: client, of: person, at: provider)
        } catch let fault as ProviderFault {
            warn(provider, fault.reason)
        } catch {
            warn(provider, (error as? TokenFault)?.rawValue ?? "the token could not be checked")
        }
    }

    /// Keeps a token. A failure is logged and keeps nobody out.
    package func keep(
        _ token: ProviderSecret?, client: String, of person: ProvenPerson, at provider: SignInProvider
    ) async {
        guard provider.kind == .apple, let token else { return }
        do { try await service.accounts.providers.identityTokens.keep(token, of: person, client: client) } catch {
            warn(provider, "it could not be stored")
        }
    }

    private func warn(_ provider: SignInProvider, _ reason: String) {
        service.logger.warning(
            "a person's token for revocation was not kept; they can end the connection at Apple",
            metadata: ["provider": "\(provider.name)", "error": "\(reason)"])
    }
}

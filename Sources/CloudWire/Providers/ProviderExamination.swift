package import CloudAccounts
import CloudIdentity
import CloudModel
package import CloudOperations
import Foundation
import NIOHTTP1

/// Asks a provider for all that a sign-in needs, without a person.
package struct ProviderExamination: Sendable {
    /// The largest tolerated difference of clocks, in seconds; identity tokens that differ more are refused.
    static let clockTolerance: Int64 = 60

    private let provider: SignInProvider
    private let connections: ProviderConnections
    private let publicURL: String?

    /// - Parameter publicURL: the origin that people see; nil if it is not set.
    package init(of provider: SignInProvider, _ connections: ProviderConnections, publicURL: String?) {
        self.provider = provider
        self.connections = connections
        self.publicURL = publicURL
    }

    /// The checks, each with its fault and remedy.
    package func steps() async -> [ProviderStep] {
        var steps = [redirectStep]
        let endpoints: ProviderEndpoints
        do throws(ProviderFault) {
            endpoints = try await connections.endpoints(of: provider)
            steps.append(discoveryStep(endpoints))
        } catch {
            return steps + [Self.wrong("discovery", error, Self.discoveryRemedy)]
        }
        if endpoints.keys != nil { steps.append(await keysStep()) }
        steps += await tokenSteps(endpoints)
        if let step = await authorizationStep(endpoints) { steps.append(step) }
        return steps
    }

    private static let discoveryRemedy =
        "Compare the issuer with the one that the provider prints, and see that this server reaches its host."

    private static func wrong(_ name: String, _ fault: ProviderFault, _ remedy: String) -> ProviderStep {
        ProviderStep(name, .wrong, Self.sentence(fault.reason), remedy: remedy)
    }

    /// The names of hosts stay as they are.
    private static func sentence(_ clause: String) -> String {
        let isHost = clause.prefix { $0 != " " }.contains(".")
        return isHost ? clause + "." : clause.prefix(1).uppercased() + clause.dropFirst() + "."
    }

    // MARK: Redirect address

    private var redirect: String? {
        publicURL.map { ($0.hasSuffix("/") ? String($0.dropLast()) : $0) + provider.callbackPath }
    }

    private var redirectStep: ProviderStep {
        guard let redirect else {
            return ProviderStep(
                "redirect address", .wrong, "The server does not know its own address.",
                remedy: "Set publicUrl to the origin that people see, such as https://cloud.example.com.")
        }
        let text = "Register this redirect address with the provider: \(redirect)"
        guard provider.kind == .apple, let reason = Self.appleRefusal(of: redirect) else {
            return ProviderStep("redirect address", .good, text)
        }
        return ProviderStep(
            "redirect address", .wrong, reason, remedy: "Set publicUrl to an https URL with a domain name.")
    }

    private static func appleRefusal(of redirect: String) -> String? {
        guard let url = try? ProviderURL(redirect, allowsHTTP: false) else {
            return "Apple takes https addresses only."
        }
        let isNumeric = url.host.contains(":") || url.host.split(separator: ".").allSatisfy { Int($0) != nil }
        return isNumeric || url.host == "localhost" ? "Apple takes neither IP addresses nor localhost." : nil
    }

    // MARK: Documents

    private func discoveryStep(_ endpoints: ProviderEndpoints) -> ProviderStep {
        guard provider.kind.hasOpenIDConnect else {
            return ProviderStep("discovery", .good, "The provider has no discovery document and needs none.")
        }
        guard endpoints.acceptsProofKeys else {
            return ProviderStep(
                "discovery", .unknown, "The discovery document is good. It offers no proof keys with S256.")
        }
        return ProviderStep("discovery", .good, "The discovery document is good.")
    }

    private func keysStep() async -> ProviderStep {
        let keys: JSONWebKeySet
        do throws(ProviderFault) { keys = try await connections.keys(of: provider) } catch {
            return Self.wrong("keys", error, "See that this server reaches the host of the provider's keys.")
        }
        let skipped = keys.skipped.map { "key \($0.place + 1) is left out: \($0.fault.rawValue)" }
        let text = "Keys that can be used: \(keys.keys.count)." + skipped.map { " " + Self.sentence($0) }.joined()
        guard !keys.keys.isEmpty else {
            return ProviderStep("keys", .wrong, text, remedy: "Have the provider sign with RS256 or ES256.")
        }
        return ProviderStep("keys", .good, text)
    }

    // MARK: Client and clock

    /// Redeems a code that nobody gave out: the refusal tells whether the provider knows the client, and its date the clock.
    private func tokenSteps(_ endpoints: ProviderEndpoints) async -> [ProviderStep] {
        guard let method = endpoints.clientAuthentication else {
            return [
                Self.wrong(
                    "client authentication", .clientAuthentication,
                    "Have the provider accept a client secret, or set clientAuthentication.")
            ]
        }
        do throws(ProviderFault) {
            let request = TokenRequest(
                code: "cumulus-provider-test", redirect: redirect, proof: ProofKey(), client: provider.clientID,
                secret: try await connections.clientSecret(of: provider, client: provider.clientID),
                authentication: method)
            let answer = try await connections.tokenAnswer(to: request, of: provider)
            return [Self.clientStep(answer, method), clockStep(answer)]
        } catch {
            return [
                Self.wrong(
                    "client authentication", error, "See that this server reaches the provider's token endpoint.")
            ]
        }
    }

    /// Errors that say that id and secret are wrong: RFC 6749 §5.2 and those of GitHub and Glewlwyd.
    private static let clientErrors = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"]
    private static let codeErrors = ["invalid_grant", "invalid_code", "bad_verification_code"]

    private static func clientStep(
        _ answer: ProviderResponse, _ method: DiscoveryDocument.ClientAuthentication
    ) -> ProviderStep {
        var error = ""
        do throws(TokenAnswer.Fault) { _ = try TokenAnswer(parsing: answer.body) } catch {
            if case .refused(let name) = error { return clientStep(error: name, answer.status, method) }
        }
        if answer.status == 401 { error = "invalid_client" }
        return clientStep(error: error, answer.status, method)
    }

    private static func clientStep(
        error: String, _ status: Int, _ method: DiscoveryDocument.ClientAuthentication
    ) -> ProviderStep {
        let name = "client authentication"
        if codeErrors.contains(error) {
            return ProviderStep(name, .good, "The provider knows the client id and the secret (\(method.rawValue)).")
        }
        if clientErrors.contains(error) || status == 401 {
            return ProviderStep(
                name, .wrong,
                "The provider does not accept the client id and the secret (\(method.rawValue): \(error)).",
                remedy: "Compare the client id, give the secret again, or set another clientAuthentication.")
        }
        return ProviderStep(
            name, .unknown,
            "The provider answered a wrong code with status \(status)\(error.isEmpty ? "" : " and \(error)"), "
                + "which does not tell whether it knows the secret.")
    }

    private func clockStep(_ answer: ProviderResponse) -> ProviderStep {
        guard let text = answer.headers.first(name: "date"), let told = Self.date(text) else {
            return ProviderStep("clock", .unknown, "The provider does not tell its time.")
        }
        let off = connections.now.wholeSeconds - Int64(told.timeIntervalSince1970)
        guard abs(off) >= Self.clockTolerance else {
            return ProviderStep("clock", .good, "Both clocks agree within a minute.")
        }
        return ProviderStep(
            "clock", .wrong,
            "This server's clock is \(abs(off)) s \(off > 0 ? "ahead of" : "behind") the provider's.",
            remedy: "Let this machine take its time from the network; identity tokens are refused otherwise.")
    }

    /// A date of HTTP (RFC 9110 §5.6.7).
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text)
    }

    // MARK: Authorization

    /// Asks for a sign-in without a person: the provider sends the error back only to a redirect address that it knows. Nil for
    /// providers that answer with a page always.
    private func authorizationStep(_ endpoints: ProviderEndpoints) async -> ProviderStep? {
        guard let redirect, provider.kind != .apple, provider.kind != .github else { return nil }
        let parameters = SignInAttempt().parameters(
            client: provider.clientID, redirect: redirect, scopes: provider.scopes)
        let query = (parameters.map { ($0.key, $0.value) } + [("prompt", "none")])
            .map { "\(FormText.encoded($0.0))=\(FormText.encoded($0.1))" }.joined(separator: "&")
        let url = endpoints.authorization + (endpoints.authorization.contains("?") ? "&" : "?") + query
        do throws(ProviderFault) {
            return Self.authorizationStep(try await connections.look(at: url, of: provider), redirect)
        } catch {
            return Self.wrong(
                "authorization", error, "See that people's browsers reach the provider's authorization endpoint.")
        }
    }

    private static func authorizationStep(_ answer: ProviderResponse, _ redirect: String) -> ProviderStep {
        let name = "authorization"
        guard (300..<400).contains(answer.status), let location = answer.headers.first(name: "location") else {
            guard answer.status >= 400 else {
                return ProviderStep(name, .unknown, "The provider answered with a page of its own.")
            }
            return ProviderStep(
                name, .wrong, "The provider refused the request with status \(answer.status).",
                remedy: "Register the client id and the redirect address \(redirect) with the provider.")
        }
        guard location == redirect || location.hasPrefix(redirect + "?") else {
            return ProviderStep(name, .unknown, "The provider led to a page of its own, which does not tell more.")
        }
        let error = URLComponents(string: location)?.queryItems?.first { $0.name == "error" }?.value ?? ""
        let shown = String(error.filter { $0.isASCII && ($0.isLetter || $0 == "_") }.prefix(64))
        let usual = ["login_required", "interaction_required", "consent_required", "account_selection_required"]
        guard usual.contains(shown) else {
            return ProviderStep(
                name, .wrong, "The provider knows the redirect address and refuses the request: \(shown).",
                remedy: "Compare the scopes and the client's settings at the provider.")
        }
        return ProviderStep(name, .good, "The provider knows the client id and the redirect address.")
    }
}

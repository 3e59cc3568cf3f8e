import CumulusKit
import Foundation

/// The server that is played to.
struct Server: Sendable {
    let origin: String
    let apiToken: String
    let wire: Wire

    /// Signs `email` in to a container in the way a development server allows: by name alone, which makes both.
    func signIn(
        _ email: String, to identifier: String, _ environment: CumulusConfiguration.Environment = .development,
        apiToken token: String? = nil
    ) async throws -> CKContainer {
        var settings = CumulusConfiguration(
            identifier: identifier, environment: environment, origin: origin, apiToken: token ?? apiToken,
            transport: wire)
        // A play that needed a second try did not go well.
        settings.retries = .never
        let container = CKContainer(settings)
        do {
            _ = try await Wire.quietly { try await container.signInForDevelopment(email: email) }
        } catch let error as CKError where !error.isTransient {
            throw Mismatch(
                what: "signing in, as a server started with --dev lets anybody", expected: "a ckWebAuthToken",
                got: "\(error)")
        }
        return container
    }

    /// Fetches a path or a whole address, as somebody without any credentials.
    func fetch(_ address: String, accept: String = "*/*") async throws -> HTTPAnswer {
        try await wire.send(HTTPRequest(url: url(address), headers: ["Accept": accept], timeout: .seconds(120)))
    }

    /// Sends JSON, and returns what the server says to it.
    func ask(_ method: String, _ path: String, _ body: JSON? = nil) async throws -> JSON {
        var request = HTTPRequest(method: method, url: try url(path), body: body.map { Data($0.text.utf8) })
        if body != nil { request.headers["Content-Type"] = "application/json" }
        return JSON(try await wire.send(request).body) ?? .null
    }

    /// The same with the credentials of a container's person, for what CumulusKit has no call for: `service` as in
    /// `/database/1/`.
    func ask(
        _ container: CKContainer, _ service: String, _ action: String, _ body: JSON? = nil, method: String = "POST"
    ) async throws -> JSON {
        let settings = container.configuration
        let credentials = [
            ("ckAPIToken", settings.apiToken), ("ckWebAuthToken", try settings.credentials.load()),
            ("clientId", settings.clientID),
        ]
        let query = credentials.compactMap { key, value in value.map { "\(key)=\(Self.encoded($0))" } }
        let place = "\(settings.identifier)/\(settings.environment.rawValue)"
        return try await ask(method, "/\(service)/1/\(place)/\(action)?\(query.joined(separator: "&"))", body)
    }

    private func url(_ address: String) throws -> URL {
        guard let url = URL(string: address.hasPrefix("/") ? origin + address : address) else {
            throw Mismatch(what: "reading an address", expected: "a URL", got: address)
        }
        return url
    }

    /// Tokens hold `+`, `/` and `=`, which mean something else in a query.
    private static func encoded(_ token: String) -> String {
        token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? token
    }
}

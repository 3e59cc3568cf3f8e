public import Foundation

/// A nonce for a request to Apple, Google or another provider, good for ten minutes and one sign-in.
public struct CKSignInNonce: Sendable, Hashable {
    /// What the server gets back with the identity token.
    public let nonce: String
    /// The SHA-256 of ``nonce`` in hex, for the provider: `nonce` of `ASAuthorizationAppleIDRequest`.
    public let hashedNonce: String
    public let expires: Date
}

extension CKContainer {
    /// Asks the server for a nonce, before the provider is asked for an identity token.
    public func prepareSignIn() async throws -> CKSignInNonce {
        let settings = wire.settings
        let place: JSON = [
            "container": .string(settings.identifier), "environment": .string(settings.environment.rawValue),
        ]
        let answer = try await wire.call("POST", "/auth/exchange/nonce", place).body
        guard let nonce = answer["nonce"]?.string, let hashed = answer["hashedNonce"]?.string,
            let expires = answer["expires"]?.double
        else { throw CKError.unexpected("a nonce") }
        return CKSignInNonce(
            nonce: nonce, hashedNonce: hashed, expires: Date(timeIntervalSince1970: expires / 1000))
    }

    /// Signs in with an identity token, such as that of an `ASAuthorizationAppleIDCredential`.
    ///
    /// - Parameters:
    ///   - provider: the provider's name on the server.
    ///   - identityToken: the credential's `identityToken`.
    ///   - authorizationCode: the credential's `authorizationCode`: with it, deleting the account ends the connection at
    ///     Apple.
    ///   - fullName: the credential's `fullName`, which Apple gives at the first sign-in only.
    ///   - nonce: the nonce whose digest the request had.
    /// - Returns: the signed-in user's record ID.
    /// - Throws: `notAuthenticated` for a refused token; with a `redirectURL` if the person's address has an account already,
    ///   whose owner connects it on that page.
    @discardableResult
    public func signIn(
        provider: String, identityToken: Data, authorizationCode: Data? = nil,
        fullName: PersonNameComponents? = nil, nonce: CKSignInNonce
    ) async throws -> CKRecord.ID {
        let text = { (data: Data) in JSON.string(String(decoding: data, as: UTF8.self)) }
        let answer = try await exchange(
            .members([
                "container": .string(wire.settings.identifier),
                "environment": .string(wire.settings.environment.rawValue), "provider": .string(provider),
                "idToken": text(identityToken), "nonce": .string(nonce.nonce),
                "authorizationCode": authorizationCode.map(text),
                "name": fullName.map {
                    .members([
                        "givenName": $0.givenName.map(JSON.string), "familyName": $0.familyName.map(JSON.string),
                    ])
                },
            ]))
        guard let token = answer["ckWebAuthToken"]?.string, let name = answer["userRecordName"]?.string else {
            throw CKError.unexpected("a ckWebAuthToken")
        }
        try signIn(webAuthToken: token)
        return CKRecord.ID(recordName: name)
    }

    private func exchange(_ body: JSON) async throws -> JSON {
        do { return try await wire.call("POST", "/auth/exchange", body).body } catch let error as CKError {
            // The status 401 is about the container elsewhere.
            guard error.code == .badContainer else { throw error }
            throw CKError(.notAuthenticated, error.reason)
        }
    }
}

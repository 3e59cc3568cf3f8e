public import Foundation

extension CKContainer {
    public func accountStatus() async throws -> CKAccountStatus {
        do {
            _ = try await userRecordID()
            return .available
        } catch let error as CKError {
            switch error.code {
            case .notAuthenticated: return .noAccount
            case .networkUnavailable, .networkFailure, .serverResponseLost: return .couldNotDetermine
            case _ where error.isTransient: return .temporarilyUnavailable
            default: throw error
            }
        }
    }

    /// The signed-in user's record ID.
    ///
    /// - Throws: `notAuthenticated`, with the sign-in page, without a signed-in user.
    public func userRecordID() async throws -> CKRecord.ID {
        let caller = try await wire.call("GET", "/database/1/\(wire.place)/public/users/caller").body
        guard let name = caller["userRecordName"]?.string else { throw CKError.unexpected("a userRecordName") }
        return CKRecord.ID(recordName: name)
    }

    /// The URL of the sign-in page; nil if a user is already signed in. The page redirects with a token to the API token's
    /// callback: pass the callback URL to ``signIn(callback:)``.
    public func signInURL() async throws -> URL? {
        do {
            _ = try await userRecordID()
            return nil
        } catch let error as CKError where error.code == .notAuthenticated {
            guard let url = error.redirectURL else { throw error }
            return url
        }
    }

    /// Signs in with the token in the sign-in page's callback URL.
    public func signIn(callback: URL) throws {
        let items = URLComponents(url: callback, resolvingAgainstBaseURL: false)?.queryItems ?? []
        if let token = items.first(where: { $0.name == "ckWebAuthToken" })?.value {
            return try signIn(webAuthToken: token)
        }
        let reason = items.first { $0.name == "errorMessage" }?.value
        throw CKError(.notAuthenticated, reason ?? "The callback has no ckWebAuthToken.")
    }

    public func signIn(webAuthToken: String) throws { try change(to: webAuthToken) }

    /// Deletes the user's token on this device.
    public func signOut() throws { try change(to: nil) }

    /// Signs in without a password, on servers started with `--dev`.
    @discardableResult
    public func signInForDevelopment(email: String) async throws -> CKRecord.ID {
        let settings = wire.settings
        let body: JSON = [
            "container": .string(settings.identifier), "environment": .string(settings.environment.rawValue),
            "email": .string(email),
        ]
        let request = HTTPRequest(
            method: "POST", url: try wire.url("/auth/dev/session"), headers: ["Content-Type": "application/json"],
            body: body.data)
        let answer = try JSON(parsing: try await wire.send(request).answer.body)
        guard let token = answer["ckWebAuthToken"]?.string, let name = answer["userRecordName"]?.string else {
            throw CKError.unexpected("a ckWebAuthToken")
        }
        try change(to: token)
        return CKRecord.ID(recordName: name)
    }

    private func change(to token: String?) throws {
        try wire.session.replace(token)
        NotificationCenter.default.post(name: .CKAccountChanged, object: self)
    }
}

extension CKError {
    static func unexpected(_ missing: String) -> CKError {
        CKError(.serverRejectedRequest, "The server's answer lacks \(missing).")
    }
}

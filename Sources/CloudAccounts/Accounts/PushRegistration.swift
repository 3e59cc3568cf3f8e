import CloudEngine
package import CloudModel
import CloudSQL
import CloudCrypto

/// A client's request to create or register a push token.
package struct PushRegistration: Sendable {
    package let container: Int64
    package let environment: ContainerEnvironment
    /// User record name of the signed-in user.
    package let user: String
    /// The client's own name.
    package let clientID: String?
    package let apnsEnvironment: PushEnvironment

    package init(
        container: Int64, environment: ContainerEnvironment, user: String, clientID: String?,
        apnsEnvironment: PushEnvironment
    ) {
        self.container = container
        self.environment = environment
        self.user = user
        self.clientID = clientID
        self.apnsEnvironment = apnsEnvironment
    }

    /// The outcome of a registration.
    package struct Outcome: Sendable {
        package let token: Int64
        package let expires: Timestamp
        /// The client's previous token, whose queued messages go to the new token.
        package let predecessor: Int64?
        /// Tokens of the same user that were dropped to keep to the limit.
        package let dropped: [Int64]
        /// Other environments in which the token is registered; its new expiry applies to these too.
        package let elsewhere: [PushToken.Registration]
    }
}

/// Push tokens and their registrations.
package struct PushTokens: Sendable {
    let database: AccountDatabase

    /// Deletes the push registrations of an environment whose devices are lost. Clients notice and register again.
    package func forgetRegistrations(container: Int64, environment: ContainerEnvironment) async throws {
        try await database.pool.write {
            _ = try $0.run(
                "DELETE FROM pushRegistration WHERE container = ? AND environment = ?", .integer(container),
                .text(environment.rawValue))
        }
    }

    /// Creates and registers a token of 64 hex digits and returns its text; the text cannot be read again.
    ///
    /// - Parameter most: the token limit of a user in an environment; beyond it, the tokens that expire first are dropped.
    package func create(
        for registration: PushRegistration, lifetime: Duration, most: Int
    ) async throws -> (text: String, outcome: PushRegistration.Outcome) {
        let text = PushToken.make()
        let expires = database.now() + lifetime
        let outcome = try await database.pool.write { db in
            let token = try db.insert(
                "INSERT INTO pushToken (hash, apnsEnvironment, expires) VALUES (?, ?, ?) RETURNING id",
                .blob(Array(SHA256.hash(of: text))), .text(registration.apnsEnvironment.rawValue),
                .seconds(expires))
            return try registration.save(token: token, expires: expires, most: most, in: db)
        }
        return (text, outcome)
    }

    /// Registers an existing token, in the same or another environment, and extends its lifetime.
    ///
    /// - Returns: nil for an unknown or expired token, or a token of another push service.
    package func register(
        _ text: String, for registration: PushRegistration, lifetime: Duration, most: Int
    ) async throws -> PushRegistration.Outcome? {
        guard let hash = PushToken.hash(text) else { return nil }
        let now = database.now()
        let outcome = try await database.pool.write { db -> PushRegistration.Outcome? in
            let tokens = try db.all(
                """
                UPDATE pushToken SET expires = CASE WHEN expires < ?1 THEN ?1 ELSE expires END
                WHERE hash = ? AND expires > ? AND apnsEnvironment = ? RETURNING id
                """, .seconds(now + lifetime), .blob(Array(hash)),
                .seconds(now), .text(registration.apnsEnvironment.rawValue)
            ) { $0.integer(0) }
            guard let token = tokens.first else { return nil }
            return try registration.save(token: token, expires: now + lifetime, most: most, in: db)
        }
        database.cache.forget(pushToken: hash)
        return outcome
    }
}

extension PushRegistration {
    fileprivate func save(token: Int64, expires: Timestamp, most: Int, in db: SQLConnection) throws -> Outcome {
        // After another user's sign-in, the previous user's notifications must not reach this device.
        try db.run(
            "DELETE FROM pushRegistration WHERE token = ? AND container = ? AND \"user\" <> ?", .integer(token),
            .integer(container), .text(user))
        let predecessor = try takePredecessor(of: token, in: db)
        let added = try db.run(
            """
            INSERT INTO pushRegistration (token, container, environment, "user", clientID) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (token, container, environment) DO UPDATE SET clientID = excluded.clientID
                WHERE pushRegistration.clientID IS DISTINCT FROM excluded.clientID
            """, .integer(token), .integer(container), .text(environment.rawValue), .text(user),
            .text(optional: clientID))
        let dropped = try dropOldest(but: token, most: most, in: db)
        for id in dropped + [predecessor].compactMap(\.self) { try Self.deleteUnregistered(token: id, in: db) }
        let elsewhere = try PushToken.registrations(of: token, in: db)
            .filter { $0.container.id != container || $0.environment != environment }
        // Other servers may have cached the token without this registration.
        if added > 0, !elsewhere.isEmpty { try db.run("UPDATE revision SET value = value + 1") }
        return Outcome(
            token: token, expires: expires, predecessor: predecessor, dropped: dropped, elsewhere: elsewhere)
    }

    /// Ends the registration of the same client's previous token.
    private func takePredecessor(of token: Int64, in db: SQLConnection) throws -> Int64? {
        guard let clientID else { return nil }
        return try db.all(
            """
            DELETE FROM pushRegistration
            WHERE container = ? AND "user" = ? AND environment = ? AND clientID = ? AND token <> ?
                AND (SELECT apnsEnvironment FROM pushToken WHERE id = token) = ?
            RETURNING token
            """, .integer(container), .text(user), .text(environment.rawValue), .text(clientID), .integer(token),
            .text(apnsEnvironment.rawValue)
        ) { $0.integer(0) }.first
    }

    private static func deleteUnregistered(token: Int64, in db: SQLConnection) throws {
        try db.run(
            "DELETE FROM pushToken WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM pushRegistration WHERE token = ?1)",
            .integer(token))
    }

    private func dropOldest(but token: Int64, most: Int, in db: SQLConnection) throws -> [Int64] {
        let surplus = try db.all(
            """
            SELECT token FROM pushRegistration JOIN pushToken ON pushToken.id = token
            WHERE container = ? AND "user" = ? AND environment = ? AND token <> ?
            ORDER BY expires DESC, token DESC LIMIT \(Int64.max) OFFSET ?
            """, .integer(container), .text(user), .text(environment.rawValue), .integer(token),
            .integer(Int64(max(0, most - 1)))
        ) { $0.integer(0) }
        for surplus in surplus {
            try db.run(
                "DELETE FROM pushRegistration WHERE token = ? AND container = ? AND environment = ?",
                .integer(surplus), .integer(container), .text(environment.rawValue))
        }
        return surplus
    }
}

import CloudEngine
import CloudIdentity
import CloudModel
import CloudSQL

/// The providers that people sign in at.
package struct SignInProviders: Sendable {
    let database: AccountDatabase

    /// All providers, oldest first; from memory until a server changes one.
    package func all() async throws -> [SignInProvider] {
        let revision = try await database.cache.validate()
        if let known = database.cache.value(\.providers, Self.key, revision) { return known }
        let found = try await database.lookups.run { try ProviderTable.all(in: $0) }
        database.cache.remember(found, \.providers, Self.key, revision)
        return found
    }

    /// The provider of a name; nil if there is none.
    package func find(name: String) async throws -> SignInProvider? {
        try await all().first { $0.name.isExactly(name) }
    }

    /// - Throws: `NOT_FOUND` for an unknown name.
    package func require(name: String) async throws -> SignInProvider {
        guard let provider = try await find(name: name) else { throw Self.noProvider(name) }
        return provider
    }

    /// The client secret; Apple's is the text of the `.p8` file.
    package func secret(of provider: SignInProvider) async throws -> ProviderSecret {
        guard let sealed = provider.sealedSecret else { throw Self.noProvider(provider.name) }
        return try Self.open(sealed, of: provider.name, try await ProviderSeal(database))
    }

    /// Adds a provider.
    ///
    /// - Returns: the provider as it is stored.
    /// - Throws: `BAD_REQUEST` for an invalid field and beyond ``ProviderLimits/providers``; `EXISTS` for a name in use.
    package func add(_ provider: SignInProvider, secret: ProviderSecret) async throws -> SignInProvider {
        var checked = provider
        try checked.check()
        try checked.check(secret: secret)
        checked.created = database.now()
        let sealed = try await ProviderSeal(database).seal(secret, of: checked.name)
        checked.sealedSecret = sealed
        try await database.pool.write { [checked] db in
            guard try ProviderTable.find(name: checked.name, in: db) == nil else {
                throw ServerError(.exists, "provider '\(checked.name)' exists already", .taken(.provider))
            }
            guard try ProviderTable.all(in: db).count < ProviderLimits.providers else {
                throw ServerError.badRequest(
                    "there are \(ProviderLimits.providers) providers already", .limit(ProviderLimits.providers))
            }
            try ProviderTable.insert(checked, sealed, in: db)
        }
        return checked
    }

    /// Changes a provider. An issuer of another origin needs the secret again, which would else be sent there.
    ///
    /// - Parameters:
    ///   - secret: nil to keep the secret.
    ///   - change: runs in the transaction.
    /// - Returns: the provider before and after the change.
    /// - Throws: `NOT_FOUND` for an unknown name, `BAD_REQUEST` for an invalid field.
    package func update(
        name: String, secret: ProviderSecret? = nil,
        _ change: @escaping @Sendable (inout SignInProvider) throws -> Void
    ) async throws -> (old: SignInProvider, new: SignInProvider) {
        let seal = try await ProviderSeal(database)
        return try await database.pool.write { db in
            guard let old = try ProviderTable.find(name: name, in: db), let kept = old.sealedSecret else {
                throw Self.noProvider(name)
            }
            var new = old
            try change(&new)
            try new.check()
            if secret == nil, Self.origin(of: new) != Self.origin(of: old) {
                throw ServerError.badRequest(
                    "secret: an issuer at another host or port, or without TLS, needs the client's secret again")
            }
            // Apple's team and key id are checked with the key.
            try new.check(secret: try secret ?? Self.open(kept, of: name, seal))
            let sealed = secret.map { seal.seal($0, of: name) } ?? kept
            new.sealedSecret = sealed
            try ProviderTable.update(new, sealed, in: db)
            try GivenRoleTable.withdraw(
                provider: name, keeping: old.rolesKept(by: new), now: database.now(), in: db)
            return (old, new)
        }
    }

    /// Removes a provider. Identities of its people stay, and work again once a provider of the issuer is added.
    ///
    /// - Throws: `NOT_FOUND` for an unknown name.
    package func remove(name: String) async throws {
        try await database.pool.write { db in
            guard SignInProvider.isName(name), try db.run("DELETE FROM provider WHERE name = ?", .text(name)) > 0 else {
                throw Self.noProvider(name)
            }
            try GivenRoleTable.withdraw(provider: name, keeping: [], now: database.now(), in: db)
        }
    }

    /// The list's only key in the cache.
    private static let key: Int64 = 0

    private static func origin(of provider: SignInProvider) -> String? {
        (try? ProviderURL(provider.issuer, allowsHTTP: true))?.origin
    }

    private static func open(
        _ sealed: SealedSecret, of name: String, _ seal: ProviderSeal
    ) throws -> ProviderSecret {
        do { return try seal.open(sealed, of: name) } catch {
            throw ServerError(
                .internalError,
                "the secret of provider '\(known: name)' was sealed with another server's key; give it again with "
                    + "'cumulus provider update'", .server(.fault))
        }
    }

    static func noProvider(_ name: String) -> ServerError {
        ServerError(
            .notFound, "there is no provider '\(Naming.shown(name))'; 'cumulus provider list' shows them",
            .missing(.provider))
    }
}

extension AccountStore {
    package var providers: SignInProviders { SignInProviders(database: database) }
}

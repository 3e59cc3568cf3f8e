package import CloudModel
package import CloudStore

/// Administration on the stores themselves.
package struct StoreAdministration: Administration {
    private let container: Container
    private let environment: ContainerEnvironment
    private let accounts: AccountStore
    private let stores: ContainerStores
    private let limits: Limits

    package init(
        container: Container, environment: ContainerEnvironment, accounts: AccountStore, stores: ContainerStores,
        limits: Limits
    ) {
        self.container = container
        self.environment = environment
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
    }

    private func store(_ environment: ContainerEnvironment) async throws -> any RecordStore {
        try await stores.store(container: container, environment: environment)
    }

    /// Production's schema; nil when nobody has used production yet.
    private func production() async throws -> SchemaDefinition? {
        try await stores.existing(container: container, environment: .production)?.schema()
    }

    private func require(_ needed: ContainerEnvironment, _ rule: String) throws {
        guard environment == needed else { throw ServerError.badRequest("environment: \(rule)") }
    }

    // MARK: Schema

    package func schemaText() async throws -> String {
        SchemaText.text(try await store(environment).schema())
    }

    package func importSchema(_ text: String, dryRun: Bool) async throws -> [SchemaStep] {
        try require(.development, "a schema is imported into development, and deployed from there to production")
        let schema = try SchemaParser.parse(text)
        if let fault = schema.fault(limits) { throw ServerError.badRequest(fault) }
        let changes = try await store(.development).apply(schema, production: production(), dryRun: dryRun)
        return changes.map(SchemaStep.init)
    }

    package func deploySchema(dryRun: Bool) async throws -> [SchemaStep] {
        try require(.production, "it is production that a schema is deployed to")
        let development = try await store(.development).schema()
        return try await store(.production).deploy(development, dryRun: dryRun).map(SchemaStep.init)
    }

    package func resetSchema(dryRun: Bool) async throws -> [SchemaStep] {
        try require(.development, "it is development that is reset, to the schema of production")
        let store = try await store(.development)
        let target = try await production() ?? SchemaDefinition()
        let changes = dryRun ? try await store.schema().changes(to: target) : try await store.reset(to: target)
        return changes.map(SchemaStep.init)
    }

    package func builds() async throws -> [IndexBuildProgress] {
        try await store(environment).buildProgress()
    }

    // MARK: Roles

    package func roles(after name: String) async throws -> RoleList {
        let store = try await store(environment)
        let most = limits.recordsPerResponse
        let members = try await store.roleMembers(after: name, limit: most)
        let roles = store.catalog.roles.sorted { $0.key < $1.key }
        return RoleList(
            roles: roles.map { RoleList.Role(number: $0.key, name: $0.value) }, members: members,
            hasMore: members.count == most)
    }

    package func setRole(_ role: String, of user: String, to isGranted: Bool) async throws -> RoleMember {
        let store = try await store(environment)
        return try await store.setRole(role, of: try await recordName(of: user), to: isGranted, limits: limits)
    }

    /// Whoever has an address need not have been in the container before.
    private func recordName(of user: String) async throws -> String {
        if user.contains("@") {
            guard let account = try await accounts.userAccount(email: user) else {
                throw ServerError(.notFound, "there is no user '\(Naming.shown(user))'")
            }
            return try await accounts.userRecordName(account: account.id, container: container.id)
        }
        guard try await accounts.hasUser(user, container: container.id) else {
            throw ServerError(.notFound, "there is no user '\(Naming.shown(user))' in container '\(container.name)'")
        }
        return user
    }
}

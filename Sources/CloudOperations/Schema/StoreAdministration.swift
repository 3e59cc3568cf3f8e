package import CloudModel
package import CloudStore

/// Administration directly on the stores.
package struct StoreAdministration: Administration {
    private let container: Container
    private let environment: ContainerEnvironment
    private let accounts: AccountStore
    private let stores: ContainerStores
    private let limits: Limits
    private let permit: SchemaPermit

    /// - Parameter permit: refuses steps of an import or a deployment.
    package init(
        container: Container, environment: ContainerEnvironment, accounts: AccountStore, stores: ContainerStores,
        limits: Limits, permit: @escaping SchemaPermit = { _ in }
    ) {
        self.container = container
        self.environment = environment
        self.accounts = accounts
        self.stores = stores
        self.limits = limits
        self.permit = permit
    }

    private func store(_ environment: ContainerEnvironment) async throws -> EnvironmentStore {
        try await stores.store(container: container, environment: environment)
    }

    /// Production's schema; nil if production has never been used.
    private func production() async throws -> SchemaDefinition? {
        try await stores.existing(container: container, environment: .production)?.schema.current()
    }

    // MARK: Schema

    package func schemaText() async throws -> (text: String, tag: String) {
        let schema = try await store(environment).schema.current()
        return (SchemaText.text(schema), schema.tag)
    }

    package func importSchema(_ text: String, dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        guard text.utf8.count <= limits.schemaBytes else {
            throw ServerError(
                .quotaExceeded,
                "the schema's text has \(text.utf8.count) bytes, at most \(limits.schemaBytes) are allowed "
                    + "(limit.schemaBytes)", .limit(limits.schemaBytes, "limit.schemaBytes"))
        }
        let schema = try SchemaParser.parse(text)
        if let fault = schema.fault(limits) { throw ServerError.badRequest(fault) }
        return try await change(dryRun: dryRun) {
            try await $0.schema.apply(schema, production: production(), dryRun: dryRun, ifTag: tag, permit: permit)
        }
    }

    package func deploySchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await change(dryRun: dryRun) {
            try await $0.schema.deploy(store(.development).schema.current(), dryRun: dryRun, ifTag: tag, permit: permit)
        }
    }

    package func resetSchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await change(dryRun: dryRun) {
            try await $0.schema.reset(to: production() ?? SchemaDefinition(), dryRun: dryRun, ifTag: tag)
        }
    }

    /// Makes a schema change. Schema changes of a container run one at a time in this process, so the other environment's
    /// schema stays as read.
    private func change(
        dryRun: Bool,
        _ body: @escaping @Sendable (EnvironmentStore) async throws -> [SchemaChange]
    ) async throws -> SchemaOutcome {
        try await stores.schemaTurn(of: container) {
            let store = try await store(environment)
            // Read the tag before the steps: an outdated tag is refused, but a newer tag would let unseen changes through.
            let tag = dryRun ? try await store.schema.current().tag : nil
            return SchemaOutcome(steps: try await body(store).map(SchemaStep.init), tag: tag)
        }
    }

    package func builds() async throws -> [IndexBuildProgress] {
        try await store(environment).schema.buildProgress()
    }

    // MARK: Roles

    package func roles(after name: String) async throws -> RoleList {
        let store = try await store(environment)
        let most = limits.recordsPerResponse
        var members = try await store.roles.members(after: name, limit: most)
        for index in members.indices {
            members[index].email = try await accounts.people.person(
                userRecordName: members[index].userRecordName, container: container.id
            ).email
        }
        let roles = store.records.catalog.roles.sorted { $0.key < $1.key }
        return RoleList(
            roles: roles.map { RoleList.Role(number: $0.key, name: $0.value) }, members: members,
            hasMore: members.count == most)
    }

    package func setRole(_ role: String, of user: String, to isGranted: Bool) async throws -> RoleMember {
        let store = try await store(environment)
        return try await store.roles.set(role, of: try await recordName(of: user), to: isGranted, limits: limits)
    }

    /// An email address may belong to an account new to the container.
    private func recordName(of user: String) async throws -> String {
        if user.contains("@") {
            guard let account = try await accounts.users.find(email: user) else {
                throw ServerError(.notFound, "there is no user '\(Naming.shown(user))'", .missing(.user))
            }
            return try await accounts.people.recordName(account: account.id, container: container.id)
        }
        guard try await accounts.people.has(user, container: container.id) else {
            throw ServerError(
                .notFound, "there is no user '\(Naming.shown(user))' in container '\(known: container.name)'",
                .missing(.user))
        }
        return user
    }
}

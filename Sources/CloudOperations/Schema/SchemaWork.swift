import CloudAccounts
import CloudModel
import CloudStore

extension OperationCall {
    /// The environment of an operation on a schema or its roles.
    func schemaPlace(_ address: EnvironmentAddress) async throws -> EnvironmentPlace {
        try await place(address.environment, of: schemaContainer(address.container))
    }

    /// - Throws: `NOT_FOUND` for an unknown container.
    fileprivate func schemaContainer(_ name: String) async throws -> Container {
        guard let container = try await accounts.reader().container(named: name) else {
            throw ServerError(.notFound, "container '\(Naming.shown(name))' does not exist", .missing(.container))
        }
        return container
    }
}

/// A schema change on the stores.
struct SchemaWork: Sendable {
    let container: Container
    /// Refuses steps that the operator's scopes do not allow.
    let permit: SchemaPermit
    private let plan: SchemaPlan
    private let stores: ContainerStores

    /// - Throws: `NOT_FOUND` for an unknown container.
    init(_ plan: SchemaPlan, _ call: OperationCall) async throws {
        guard let stores = call.workplace.stores else {
            throw ServerError(.internalError, "a schema was worked on beside its server", .server(.fault))
        }
        self.plan = plan
        self.stores = stores
        container = try await call.schemaContainer(plan.place.container)
        permit = { [identity = call.identity] in try identity.require(toMake: $0) }
    }

    /// The store of the container's environment.
    ///
    /// - Parameter environment: nil for the environment of the plan.
    func store(_ environment: ContainerEnvironment? = nil) async throws -> EnvironmentStore {
        try await stores.store(container: container, environment: environment ?? plan.place.environment)
    }

    /// Production's schema; nil if production has never been used.
    func production() async throws -> SchemaDefinition? {
        try await stores.existing(container: container, environment: .production)?.schema.current()
    }

    /// Makes the change. Schema changes of a container run one at a time in this process, so the other environment's schema
    /// stays as read.
    func change(_ body: @escaping @Sendable (SchemaWork) async throws -> [SchemaChange]) async throws -> SchemaOutcome {
        try await stores.schemaTurn(of: container) {
            // Read the tag before the steps: an outdated tag is refused, but a newer tag would let unseen changes through.
            let tag = plan.dryRun ? try await store().schema.current().tag : nil
            return SchemaOutcome(steps: try await body(self).map(SchemaStep.init), dryRun: plan.dryRun, tag: tag)
        }
    }
}

package import CloudModel
package import CloudStore

/// Administration that asks whether its operator may change something, and leaves a line in the audit log for each
/// change.
package struct AuditedAdministration: Administration {
    private let administration: any Administration
    private let accounts: AccountStore
    private let identity: OperatorIdentity
    private let note: AuditNote

    package init(
        _ administration: any Administration, accounts: AccountStore, identity: OperatorIdentity, container: String,
        environment: ContainerEnvironment
    ) {
        self.administration = administration
        self.accounts = accounts
        self.identity = identity
        note = AuditNote(who: identity.name, action: "", container: container, environment: environment)
    }

    package func schemaText() async throws -> (text: String, tag: String) { try await administration.schemaText() }

    package func importSchema(_ text: String, dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await noting("imported a schema", unless: dryRun) {
            try await administration.importSchema(text, dryRun: dryRun, ifTag: tag)
        }
    }

    package func deploySchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await noting("deployed the schema", unless: dryRun) {
            try await administration.deploySchema(dryRun: dryRun, ifTag: tag)
        }
    }

    package func resetSchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await noting("reset the environment", unless: dryRun) {
            try await administration.resetSchema(dryRun: dryRun, ifTag: tag)
        }
    }

    package func builds() async throws -> [IndexBuildProgress] { try await administration.builds() }

    package func roles(after name: String) async throws -> RoleList { try await administration.roles(after: name) }

    package func setRole(_ role: String, of user: String, to isGranted: Bool) async throws -> RoleMember {
        try await noting(isGranted ? "granted a role" : "revoked a role", .people, person: user, subject: role) {
            try await administration.setRole(role, of: user, to: isGranted)
        }
    }

    private func noting<T>(
        _ action: String, _ scope: ManagementScope = .schema, unless isDry: Bool = false, person: String? = nil,
        subject: String? = nil,
        _ body: () async throws -> T
    ) async throws -> T {
        if !isDry { try identity.requireChange([scope]) }
        let value = try await body()
        guard !isDry else { return value }
        var note = note
        (note.action, note.person, note.subject) = (action, person, subject)
        try await accounts.note(note)
        return value
    }
}

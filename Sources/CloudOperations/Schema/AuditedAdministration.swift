package import CloudModel
package import CloudStore

/// Administration that checks the operator's rights and writes an audit entry for each change.
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

    /// Audit actions of schema changes.
    package static let schemaActions = [importing, deploying, resetting]
    private static let (importing, deploying) = ("imported a schema", "deployed the schema")
    private static let resetting = "reset the environment"

    package func importSchema(_ text: String, dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await changing(Self.importing, unless: dryRun) {
            try await administration.importSchema(text, dryRun: dryRun, ifTag: tag)
        }
    }

    package func deploySchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await changing(Self.deploying, unless: dryRun) {
            try await administration.deploySchema(dryRun: dryRun, ifTag: tag)
        }
    }

    package func resetSchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome {
        try await changing(Self.resetting, unless: dryRun) {
            try await administration.resetSchema(dryRun: dryRun, ifTag: tag)
        }
    }

    package func builds() async throws -> [IndexBuildProgress] { try await administration.builds() }

    package func roles(after name: String) async throws -> RoleList { try await administration.roles(after: name) }

    /// The scopes for granting a role. Members read and write through the role's grants, so both record scopes are required.
    package static let grantScopes: [ManagementScope] = [.people, .recordsRead, .recordsWrite]

    package func setRole(_ role: String, of user: String, to isGranted: Bool) async throws -> RoleMember {
        try identity.require(isGranted ? Self.grantScopes : [.people])
        try identity.requireChange([.people])
        let member = try await administration.setRole(role, of: user, to: isGranted)
        try await write(isGranted ? "granted a role" : "revoked a role", person: user, subject: role)
        return member
    }

    /// Makes a schema change and writes its steps to the audit log.
    private func changing(
        _ action: String, unless isDry: Bool, _ change: () async throws -> SchemaOutcome
    ) async throws -> SchemaOutcome {
        if isDry { return try await change() }
        try identity.requireChange([.schema])
        let outcome = try await change()
        let lines = outcome.steps.flatMap { $0.text.split(separator: "\n") }
        try await write(action, subject: "\(outcome.steps.count) changes: \(lines.joined(separator: "; "))")
        return outcome
    }

    private func write(_ action: String, person: String? = nil, subject: String) async throws {
        var note = note
        (note.action, note.person, note.subject) = (action, person, subject)
        try await accounts.audit.note(note)
    }
}

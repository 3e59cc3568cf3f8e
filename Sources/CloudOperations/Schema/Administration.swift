package import CloudModel
package import CloudStore

/// An operator's work on one environment of a container: on the data folder itself, or through a server that is running
/// on it.
package protocol Administration: Sendable {
    /// The schema as text (reference A §11.3), and its tag.
    func schemaText() async throws -> (text: String, tag: String)

    /// Replaces development's schema with the schema in the text.
    ///
    /// - Parameter tag: of the schema that the plan started from; nil for any.
    /// - Throws: `BAD_REQUEST` in production, for a schema over a limit, and if production would lose data;
    ///   `SchemaSyntaxError`, or `BAD_REQUEST` with the place, for invalid text; `CONFLICT` if the schema has another tag.
    func importSchema(_ text: String, dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome

    /// Production takes over development's schema.
    ///
    /// - Parameter tag: of production's schema that the change was planned for; nil for any.
    /// - Throws: `BAD_REQUEST` in development, and when production would lose something; `CONFLICT` when the schema has
    ///   another tag.
    func deploySchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome

    /// Resets development to production's schema and deletes development's data.
    ///
    /// - Parameter tag: of the schema that the plan started from; nil for any.
    /// - Throws: `BAD_REQUEST` in production; `CONFLICT` if the schema has another tag.
    func resetSchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome

    /// The indexes that are being built, and the removed types whose records are going.
    func builds() async throws -> [IndexBuildProgress]

    /// The custom roles and a page of their members.
    ///
    /// - Parameter name: lists users after this name.
    func roles(after name: String) async throws -> RoleList

    /// Gives a user, named by email address or record name, a custom role, or takes it away.
    ///
    /// - Throws: `NOT_FOUND` for a role or user that is not there.
    func setRole(_ role: String, of user: String, to isGranted: Bool) async throws -> RoleMember
}

/// The result of a schema change, made or planned.
package struct SchemaOutcome: Hashable, Sendable {
    package let steps: [SchemaStep]
    /// The tag of the schema that a planned change starts from, to make the change conditional on it; nil after the change.
    package let tag: String?

    package init(steps: [SchemaStep], tag: String?) {
        self.steps = steps
        self.tag = tag
    }
}

/// A migration step between schemas, readable for people and programs.
package struct SchemaStep: Hashable, Sendable {
    /// Lines that begin with `+`, `-` or `~`.
    package let text: String
    /// Whether records lose values, or go themselves.
    package let losesData: Bool

    package init(text: String, losesData: Bool) {
        self.text = text
        self.losesData = losesData
    }

    package init(_ change: SchemaChange) {
        self.init(text: SchemaDifference.text([change]), losesData: change.losesData)
    }
}

/// An environment's custom roles in order of their numbers, and their members.
package struct RoleList: Hashable, Sendable {
    package let roles: [Role]
    package let members: [RoleMember]
    /// Whether another page of members follows.
    package let hasMore: Bool

    package init(roles: [Role], members: [RoleMember], hasMore: Bool) {
        self.roles = roles
        self.members = members
        self.hasMore = hasMore
    }

    package struct Role: Hashable, Sendable {
        /// The number that stands for it in the field `roles` of a user's record.
        package let number: Int64
        package let name: String

        package init(number: Int64, name: String) {
            self.number = number
            self.name = name
        }
    }
}

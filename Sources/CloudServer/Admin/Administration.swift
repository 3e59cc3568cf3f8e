import CloudModel
package import CloudStore

/// What an operator does with one environment of a container: on the data folder itself, or through a server that is
/// running on it.
package protocol Administration: Sendable {
    /// The schema as text (reference A §11.3).
    func schemaText() async throws -> String

    /// Development's schema becomes the one that text describes.
    ///
    /// - Throws: `BAD_REQUEST` in production, for text over a limit, and when production would lose something;
    ///   `SchemaSyntaxError`, or `BAD_REQUEST` with the place, for text that is no schema.
    func importSchema(_ text: String, dryRun: Bool) async throws -> [SchemaStep]

    /// Production takes over development's schema.
    ///
    /// - Throws: `BAD_REQUEST` in development, and when production would lose something.
    func deploySchema(dryRun: Bool) async throws -> [SchemaStep]

    /// Development begins anew with production's schema and no data.
    ///
    /// - Throws: `BAD_REQUEST` in production.
    func resetSchema(dryRun: Bool) async throws -> [SchemaStep]

    /// The indexes that are being built.
    func builds() async throws -> [IndexBuildProgress]

    /// The custom roles and a page of those who have them.
    ///
    /// - Parameter name: only users after it.
    func roles(after name: String) async throws -> RoleList

    /// Gives a user, named by email address or record name, a custom role, or takes it away.
    ///
    /// - Throws: `NOT_FOUND` for a role or user that is not there.
    func setRole(_ role: String, of user: String, to isGranted: Bool) async throws -> RoleMember
}

/// A step from one schema to another, as people and programs read it.
package struct SchemaStep: Hashable, Sendable {
    /// Lines that begin with `+`, `-` or `~`.
    package let text: String
    /// Whether records lose values, or go themselves.
    package let losesData: Bool

    package init(text: String, losesData: Bool) {
        self.text = text
        self.losesData = losesData
    }

    init(_ change: SchemaChange) {
        self.init(text: SchemaDifference.text([change]), losesData: change.losesData)
    }
}

/// The custom roles of an environment, in the order of their numbers, and who has them.
package struct RoleList: Hashable, Sendable {
    package let roles: [Role]
    package let members: [RoleMember]
    /// Whether there are more members, after the last of these.
    package let hasMore: Bool

    package init(roles: [Role], members: [RoleMember], hasMore: Bool) {
        self.roles = roles
        self.members = members
        self.hasMore = hasMore
    }

    package struct Role: Hashable, Sendable {
        /// What stands for it in the field `roles` of a user's record.
        package let number: Int64
        package let name: String

        package init(number: Int64, name: String) {
            self.number = number
            self.name = name
        }
    }
}

package import CloudModel
package import CloudStore

/// Administration of a container's environment, either on the data folder or through the running server.
package protocol Administration: Sendable {
    /// The schema's text (reference A §11.3) and tag.
    func schemaText() async throws -> (text: String, tag: String)

    /// Replaces development's schema with the schema in the text.
    ///
    /// - Parameter tag: of the schema that was planned against; nil for any.
    /// - Throws: `BAD_REQUEST` in production, for a schema over a limit, and if production would lose data;
    ///   `SchemaSyntaxError`, or `BAD_REQUEST` with the place, for invalid text; `CONFLICT` if the schema has another tag.
    func importSchema(_ text: String, dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome

    /// Deploys development's schema to production.
    ///
    /// - Parameter tag: of the production schema that was planned against; nil for any.
    /// - Throws: `BAD_REQUEST` in development, and if production would lose data; `CONFLICT` if the schema has another tag.
    func deploySchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome

    /// Resets development to production's schema and deletes development's data.
    ///
    /// - Parameter tag: of the schema that was planned against; nil for any.
    /// - Throws: `BAD_REQUEST` in production; `CONFLICT` if the schema has another tag.
    func resetSchema(dryRun: Bool, ifTag tag: String?) async throws -> SchemaOutcome

    /// Running index builds, and removed types whose records await deletion.
    func builds() async throws -> [IndexBuildProgress]

    /// The custom roles and a page of their members.
    ///
    /// - Parameter name: lists users after this name.
    func roles(after name: String) async throws -> RoleList

    /// Grants or revokes a custom role. Users are named by email address or record name.
    ///
    /// - Throws: `NOT_FOUND` for an unknown role or user.
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
    /// Lines with a leading `+`, `-` or `~`.
    package let text: String
    /// Whether the step deletes records or field values.
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
        /// The role's number in the field `roles` of user records.
        package let number: Int64
        package let name: String

        package init(number: Int64, name: String) {
            self.number = number
            self.name = name
        }
    }
}

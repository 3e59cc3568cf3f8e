import CloudAccounts
import CloudModel
import CloudStore

/// Operations on the members of an environment's custom roles (reference A §12).
package enum RoleOperations {
    package static let list = AdminOperation<RolePage, RoleList>(
        .get("roles", .people, inside: .environment).unknown(.ignored),
        OperationText("listRoles", "The custom roles by number, and a page of their members by user record name.")
    ) { call, input in
        let place = try await call.schemaPlace(input.place)
        let most = call.workplace.limits.recordsPerResponse
        let found = try await place.store.roles.members(after: input.after ?? "", limit: most)
        var members: [RoleMemberInfo] = []
        for member in found {
            let person = try await call.accounts.people.person(
                userRecordName: member.userRecordName, container: place.container.id)
            members.append(RoleMemberInfo(member, email: person.email))
        }
        let roles = place.store.records.catalog.roles.sorted { $0.key < $1.key }
        return RoleList(
            roles: roles.map { RoleList.Role(number: $0.key, name: $0.value) }, members: members,
            hasMore: members.count == most)
    }

    /// Members read and write through the role's grants, so both record scopes are required.
    package static let grant = AdminOperation<RoleMembership, RoleMemberInfo>(
        .put("roles/{role}/{user}", .people, .recordsRead, .recordsWrite, inside: .environment).unknown(.ignored),
        OperationText("grantRole", "Give a user a role. It counts from the next request on."),
        audit: .change("granted a role")
    ) { call, input in try await set(input, to: true, call) }

    package static let revoke = AdminOperation<RoleMembership, RoleMemberInfo>(
        .delete("roles/{role}/{user}", .people, inside: .environment).unknown(.ignored),
        OperationText("revokeRole", "Take a role from a user."), audit: .change("revoked a role")
    ) { call, input in try await set(input, to: false, call) }

    private static func set(
        _ input: RoleMembership, to isGranted: Bool, _ call: OperationCall
    ) async throws -> RoleMemberInfo {
        let place = try await call.schemaPlace(input.place)
        let member = try await place.store.roles.set(
            input.role, of: try await recordName(of: input.user, in: place.container, call), to: isGranted,
            limits: call.workplace.limits)
        // From now on an operator has given it, or taken it.
        try await call.accounts.providers.givenRoles.forget(
            .custom(container: place.container.name, environment: place.environment, name: input.role),
            ofUser: member.userRecordName, container: place.container.id)
        return RoleMemberInfo(member, email: member.email)
    }

    /// An email address may belong to an account new to the container.
    private static func recordName(
        of user: String, in container: Container, _ call: OperationCall
    ) async throws -> String {
        guard user.contains("@") || user.isAccountID else { return try await call.recordName(of: user, in: container) }
        guard let account = try await call.accounts.users.find(named: user) else {
            throw ServerError(.notFound, "there is no user '\(Naming.shown(user))'", .missing(.user))
        }
        return try await call.accounts.people.recordName(account: account.id, container: container.id)
    }
}

/// A page of the members of custom roles.
package struct RolePage: OperationInput {
    package let place: EnvironmentAddress
    package let after: String?

    package init(_ place: EnvironmentAddress, after: String? = nil) {
        self.place = place
        self.after = after
    }

    package static let fields = InputFields(
        { Self($0, after: $1) }, .group(\.place),
        .text("after", \.after, "The user record name of the last member of the page before."))
}

/// A user and a custom role.
package struct RoleMembership: OperationInput {
    package let place: EnvironmentAddress
    package let role: String
    package let user: String

    package static let fields = InputFields(
        Self.init, .group(\.place), .name("role", \.role, "The role."),
        .name("user", \.user, "The user: an email address or a user record name."))
}

extension InputField where Value == String {
    /// A name of any characters, which the operation looks up.
    fileprivate static func name(
        _ name: String, _ property: InputProperty<Input, Value>, _ about: String
    ) -> Self {
        let parameter = Parameter(name: name, kind: .text(atMost: 0), about: about, isRequired: true)
        return Self(parameter, property, read: { $0[name]?.string ?? "" }, json: { .string($0) })
    }
}

/// An environment's custom roles in order of their numbers, and their members.
package struct RoleList: Codable, Hashable, OperationAnswer {
    package let roles: [Role]
    package let members: [RoleMemberInfo]
    /// Whether another page of members follows.
    package let hasMore: Bool

    package struct Role: Codable, Hashable, Sendable, DocumentedValue {
        /// The role's number in the field `roles` of user records.
        package let number: Int64
        package let name: String

        package static let about = AnswerText(nil, "", ["number": "The role's number in the field `roles` of Users."])
    }
}

/// A user and their custom roles.
package struct RoleMemberInfo: Codable, Hashable, OperationAnswer, DocumentedValue {
    package let userRecordName: String
    /// Nil without an account.
    package let email: String?
    package let roles: [String]

    package static let about = AnswerText("RoleMember", "A user and their custom roles.")

    init(_ member: RoleMember, email: String?) {
        userRecordName = member.userRecordName
        self.email = email
        roles = member.roles
    }
}

import ArgumentParser
import CloudModel
import CloudOperations

/// Lists, grants and revokes the custom roles of a container.
struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Give users the custom roles of a container, and take them away.",
        discussion: "Roles are made in the schema's text, with CREATE ROLE; docs/schema.md tells about them.",
        subcommands: [List.self, Grant.self, Revoke.self])

    struct List: ManagementCommand, InputCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the roles and who has them.")
        static let arguments: [InputArgument<RolePage>] = [
            .argument(\.place.container), .option(\.place.environment, or: .development),
        ]
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ operations: any Operations) async throws -> Report {
            let place = try input[\.place]
            var list = try await operations.run(RoleOperations.list, RolePage(place))
            var members = list.members
            while list.hasMore, let last = members.last {
                list = try await operations.run(RoleOperations.list, RolePage(place, after: last.userRecordName))
                members += list.members
            }
            return .list(
                list.roles, empty: "There are no custom roles.", columns: ["NUMBER", "ROLE", "USERS"],
                row: { role in
                    let users = Self.users(role, members).map { [$0.email, $0.userRecordName].compactMap(\.self) }
                    return ["\(role.number)", role.name, users.joined().joined(separator: " ")]
                },
                json: {
                    .members([
                        "number": .integer($0.number), "name": .string($0.name),
                        "users": .array(Self.users($0, members).map { .string($0.userRecordName) }),
                        "members": .array(
                            Self.users($0, members).map {
                                .members(["userRecordName": .string($0.userRecordName), "email": .text($0.email)])
                            }),
                    ])
                })
        }

        private static func users(_ role: RoleList.Role, _ members: [RoleMemberInfo]) -> [RoleMemberInfo] {
            members.filter { $0.roles.contains(role.name) }
        }
    }

    struct Grant: OperationCommand {
        static let configuration = CommandConfiguration(commandName: "grant", abstract: "Give a user a role.")
        static let operation = RoleOperations.grant
        static let arguments = InputArgument.membership
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ member: RoleMemberInfo) throws -> Report { try member.report(of: input[\.user]) }
    }

    struct Revoke: OperationCommand {
        static let configuration = CommandConfiguration(commandName: "revoke", abstract: "Take a role from a user.")
        static let operation = RoleOperations.revoke
        static let arguments = InputArgument.membership
        @OptionGroup var input: InputOptions<Self>
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func report(_ member: RoleMemberInfo) throws -> Report { try member.report(of: input[\.user]) }
    }
}

extension InputArgument<RoleMembership> {
    fileprivate static let membership: [InputArgument] = [
        .argument(\.place.container), .argument(\.role), .argument(\.user),
        .option(\.place.environment, or: .development),
    ]
}

extension RoleMemberInfo {
    fileprivate func report(of user: String) -> Report {
        let known = user == userRecordName ? user : "\(user) (\(userRecordName))"
        return Report(
            "\(known) has " + (roles.isEmpty ? "no custom role." : roles.joined(separator: ", ") + "."),
            json: .members([
                "userRecordName": .string(userRecordName), "roles": .array(roles.map(JSONValue.string)),
            ]))
    }
}

import ArgumentParser
import CloudModel
import CloudOperations
import CloudStore

/// Lists, grants and revokes the custom roles of a container.
struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Give users the custom roles of a container, and take them away.",
        discussion: "Roles are made in the schema's text, with CREATE ROLE; docs/schema.md tells about them.",
        subcommands: [List.self, Grant.self, Revoke.self])

    struct List: AdministrationCommand {
        static let configuration = CommandConfiguration(abstract: "List the roles and who has them.")
        @Argument(help: "The container.") var container: String
        @Option(help: "The environment: development or production.") var environment = ContainerEnvironment.development
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ administration: any Administration) async throws -> Report {
            var list = try await administration.roles(after: "")
            var members = list.members
            while list.hasMore, let last = members.last {
                list = try await administration.roles(after: last.userRecordName)
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

        private static func users(_ role: RoleList.Role, _ members: [RoleMember]) -> [RoleMember] {
            members.filter { $0.roles.contains(role.name) }
        }
    }

    struct Grant: AdministrationCommand {
        static let configuration = CommandConfiguration(abstract: "Give a user a role.")
        @Argument(help: "The container.") var container: String
        @Argument(help: "The role.") var role: String
        @Argument(help: "The user: an email address or a user record name.") var user: String
        @Option(help: "The environment: development or production.") var environment = ContainerEnvironment.development
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ administration: any Administration) async throws -> Report {
            try await administration.setRole(role, of: user, to: true).report(of: user)
        }
    }

    struct Revoke: AdministrationCommand {
        static let configuration = CommandConfiguration(abstract: "Take a role from a user.")
        @Argument(help: "The container.") var container: String
        @Argument(help: "The role.") var role: String
        @Argument(help: "The user: an email address or a user record name.") var user: String
        @Option(help: "The environment: development or production.") var environment = ContainerEnvironment.development
        @OptionGroup var access: AccessOptions
        @OptionGroup var output: OutputOptions

        func perform(_ administration: any Administration) async throws -> Report {
            try await administration.setRole(role, of: user, to: false).report(of: user)
        }
    }
}

extension RoleMember {
    fileprivate func report(of user: String) -> Report {
        let known = user == userRecordName ? user : "\(user) (\(userRecordName))"
        return Report(
            "\(known) has " + (roles.isEmpty ? "no custom role." : roles.joined(separator: ", ") + "."),
            json: .members([
                "userRecordName": .string(userRecordName), "roles": .array(roles.map(JSONValue.string)),
            ]))
    }
}

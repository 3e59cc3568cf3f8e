@testable import CloudServer
import CloudAccounts
import CloudHTTP
import CloudModel
import CloudStore
import CloudWire
import NIOCore
import TestCloud
import Testing

/// Roles by the groups of a provider.
@Suite(.timeLimit(.minutes(15)))
struct GroupRoleTests {
    private static func role(_ text: String) throws -> GroupRole { try #require(GroupRole(text)) }

    private static let admins = "admins=operator/owner"
    private static let editors = "staff=c/development/editors"

    /// A server whose container has the role `editors`, and whose provider maps groups.
    private func run(
        _ roles: [String], configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (ProviderStage) async throws -> Void
    ) async throws {
        let roles = try roles.map(Self.role)
        try await ProviderStage.run(configure: configure, provider: { $0.roles = roles }) { stage in
            #expect(try await stage.server.makeOperator("c").importing("CREATE ROLE editors;").status == 200)
            try await body(stage)
        }
    }

    private func signIn(_ stage: ProviderStage, groups: [String]?) async throws -> UserAccount {
        stage.provider.setManner { $0.claims["groups"] = groups.map { .array($0.map(JSONValue.string)) } }
        let visitor = WebVisitor(stage.server)
        let answer = try await stage.signIn(visitor)
        #expect(answer.status == 303, "\(answer.text)")
        return try #require(try await stage.account(visitor))
    }

    private func hasRole(_ stage: ProviderStage, _ account: UserAccount) async throws -> Bool {
        let container = try #require(try await stage.accounts.reader().container(named: "c"))
        let user = try await stage.accounts.people.recordName(account: account.id, container: container.id)
        let store = try await stage.server.responder.service.stores.store(
            container: container, environment: .development)
        return try await store.roles.has("editors", user)
    }

    private func operators(_ stage: ProviderStage) async throws -> [Int64: OperatorRole] {
        Dictionary(
            try await stage.accounts.operators.list().map { ($0.account.id, $0.role) }, uniquingKeysWith: { $1 })
    }

    @Test("A group without an entry gives nothing, whatever its name is") func unmapped() async throws {
        try await run([]) { stage in
            let account = try await signIn(stage, groups: ["admins", "operator/owner", "staff"])
            #expect(try await operators(stage).isEmpty)
            #expect(try await !hasRole(stage, account))
        }
    }

    @Test("Names that are almost a mapped group's give nothing")
    func almost() async throws {
        try await run([Self.admins, Self.editors]) { stage in
            for group in ["Admins", "admins ", "admin", "admins=operator/owner", "\u{430}dmins", ""] {
                let account = try await signIn(stage, groups: [group])
                #expect(try await operators(stage).isEmpty, "\(group)")
                #expect(try await !hasRole(stage, account), "\(group)")
            }
        }
    }

    @Test("Another claim with the group's name gives nothing") func otherClaim() async throws {
        try await run([Self.admins]) { stage in
            stage.provider.setManner {
                for claim in ["roles", "role", "memberOf", "https://example.com/groups"] {
                    $0.claims[claim] = .array([.string("admins")])
                }
                $0.claims["name"] = .string("admins")
            }
            _ = try await signIn(stage, groups: nil)
            #expect(try await operators(stage).isEmpty)
        }
    }

    @Test("A custom role comes with the group, goes with it, and counts at once") func custom() async throws {
        try await run([Self.editors]) { stage in
            let account = try await signIn(stage, groups: ["staff"])
            #expect(try await hasRole(stage, account))
            #expect(try await signIn(stage, groups: ["staff", "others"]).id == account.id)
            #expect(try await hasRole(stage, account))
            _ = try await signIn(stage, groups: [])
            #expect(try await !hasRole(stage, account))
            _ = try await signIn(stage, groups: ["staff"])
            _ = try await signIn(stage, groups: nil)
            #expect(try await !hasRole(stage, account))
        }
    }

    @Test("A role that an operator gave stays when the group goes") func byHand() async throws {
        try await run([Self.editors, Self.admins]) { stage in
            let account = try await signIn(stage, groups: [])
            let container = try #require(try await stage.accounts.reader().container(named: "c"))
            let user = try await stage.accounts.people.recordName(account: account.id, container: container.id)
            let store = try await stage.server.responder.service.stores.store(
                container: container, environment: .development)
            _ = try await store.roles.set("editors", of: user, to: true, limits: Limits())
            _ = try await signIn(stage, groups: ["staff"])
            _ = try await signIn(stage, groups: [])
            #expect(try await hasRole(stage, account))
            _ = try await stage.accounts.users.setAddress("kim@example.com", email: account.idText)
            _ = try await stage.accounts.operators.add(email: account.idText, role: .viewer)
            _ = try await signIn(stage, groups: ["admins"])
            #expect(try await operators(stage)[account.id] == .viewer)
            _ = try await signIn(stage, groups: [])
            #expect(try await operators(stage)[account.id] == .viewer)
        }
    }

    @Test("A role as operator comes with the group, and goes with it and its sessions") func operatorRole() async throws
    {
        try await run([Self.admins, "helpers=operator/viewer"]) { stage in
            let account = try await signIn(stage, groups: ["helpers", "admins"])
            #expect(try await operators(stage)[account.id] == .owner)
            let login = try #require(try await stage.accounts.consoleLogins.begin(account: account))
            #expect(try await stage.accounts.consoleLogins.find(login) != nil)
            _ = try await signIn(stage, groups: ["helpers"])
            #expect(try await operators(stage)[account.id] == .viewer)
            #expect(try await stage.accounts.consoleLogins.find(login) == nil)
            _ = try await signIn(stage, groups: [])
            #expect(try await operators(stage).isEmpty)
            let lines = try await stage.accounts.audit.entries(person: account.handle, limit: 10)
            #expect(lines.allSatisfy { $0.who == "provider id" })
            #expect(
                lines.map { "\($0.action) \($0.subject ?? "")" } == [
                    "took a role as operator viewer", "gave a role as operator viewer", "gave a role as operator owner",
                ])
        }
    }

    @Test("Roles go when the provider gives them no more, is removed, or the identity is disconnected")
    func withdrawn() async throws {
        try await run([Self.editors, Self.admins]) { stage in
            let account = try await signIn(stage, groups: ["staff", "admins"])
            _ = try await stage.accounts.providers.update(name: "id") { $0.roles = [] }
            #expect(try await operators(stage).isEmpty)
            try await stage.server.responder.service.takeWithdrawnRoles()
            #expect(try await !hasRole(stage, account))
            let roles = try [Self.editors, Self.admins].map(Self.role)
            _ = try await stage.accounts.providers.update(name: "id") { $0.roles = roles }
            _ = try await signIn(stage, groups: ["staff", "admins"])
            #expect(try await hasRole(stage, account))
            #expect(try await operators(stage).count == 1)
            let identity = try #require(try await stage.accounts.identities.all(of: account).first)
            _ = try await stage.accounts.users.setAddress("kim@example.com", email: account.idText)
            _ = try await stage.accounts.users.setPassword("another long word", email: "kim@example.com")
            #expect(try await stage.accounts.identities.disconnect(identity.key, from: account.id))
            #expect(try await operators(stage).isEmpty)
            try await stage.server.responder.service.takeWithdrawnRoles()
            #expect(try await !hasRole(stage, account))
        }
    }

    struct Change: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let change: @Sendable (inout SignInProvider) throws -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout SignInProvider) throws -> Void) {
            (testDescription, self.change) = (name, change)
        }
    }

    private static let takingAway: [Change] = [
        Change("the role is another group's") {
            $0.roles = try ["board=operator/owner", "board=c/development/editors"].map(role)
        },
        Change("one of two groups gives it no more") { $0.roles = try [admins, editors].map(role) },
        Change("groups are in another claim") { $0.groupsClaim = "memberOf" },
        Change("the issuer is another") { $0.issuer += "/realms/new" },
    ]

    @Test("A change after which a group might give its role no more takes the role away", arguments: takingAway)
    func changed(change: Change) async throws {
        let roles = [Self.admins, "helpers=operator/owner", Self.editors, "helpers=c/development/editors"]
        try await run(roles) { stage in
            let account = try await signIn(stage, groups: ["helpers"])
            #expect(try await operators(stage)[account.id] == .owner)
            #expect(try await hasRole(stage, account))
            _ = try await stage.accounts.providers.update(name: "id", change.change)
            #expect(try await operators(stage).isEmpty)
            try await stage.server.responder.service.takeWithdrawnRoles()
            #expect(try await !hasRole(stage, account))
        }
    }

    @Test("A change that touches no group leaves its roles") func untouched() async throws {
        try await run([Self.admins, Self.editors]) { stage in
            let account = try await signIn(stage, groups: ["admins", "staff"])
            let more = try [Self.editors, Self.admins, "board=operator/viewer"].map(Self.role)
            _ = try await stage.accounts.providers.update(name: "id") {
                $0.title = "Other"
                $0.admission = .nobody
                $0.roles = more
            }
            try await stage.server.responder.service.takeWithdrawnRoles()
            #expect(try await operators(stage)[account.id] == .owner)
            #expect(try await hasRole(stage, account))
        }
    }

    @Test("A custom role goes at once with a change to the provider, or with the provider", arguments: [true, false])
    func atOnce(isRemoved: Bool) async throws {
        try await run([Self.editors]) { stage in
            let account = try await signIn(stage, groups: ["staff"])
            #expect(try await hasRole(stage, account))
            let token = try await stage.accounts.managementTokens.create(
                container: nil, name: "all", scopes: Set(ManagementScope.allCases)
            ).text
            let answer = try await stage.server.send(
                isRemoved ? .delete : .put, "/admin/1/providers/id", headers: [.authorization: "Bearer \(token)"],
                body: isRemoved ? nil : ByteBuffer(string: #"{"roles": ["-"]}"#))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(try await !hasRole(stage, account))
        }
    }

    @Test("Who may not make operators removes no provider, whose groups make them") func removal() async throws {
        try await run([Self.admins]) { stage in
            _ = try await signIn(stage, groups: ["admins"])
            let token = try await stage.accounts.managementTokens.create(
                container: nil, name: "ci", scopes: [.operations]
            ).text
            let answer = try await stage.server.send(
                .delete, "/admin/1/providers/id", headers: [.authorization: "Bearer \(token)"])
            #expect(answer.status == 403, "\(answer.text)")
            #expect(try await operators(stage).count == 1)
        }
    }

    @Test("Only who has every scope changes what groups give") func scopes() async throws {
        try await run([]) { stage in
            for missing in ManagementScope.allCases {
                let token = try await stage.accounts.managementTokens.create(
                    container: nil, name: "ci", scopes: Set(ManagementScope.allCases).subtracting([missing])
                ).text
                let answer = try await stage.server.send(
                    .put, "/admin/1/providers/id", headers: [.authorization: "Bearer \(token)"],
                    body: ByteBuffer(string: #"{"roles": ["admins=operator/owner"]}"#))
                #expect(answer.status == 403, "\(missing): \(answer.text)")
            }
            let bound = try await stage.accounts.managementTokens.create(
                container: "c", name: "ci", scopes: Set(ManagementScope.allCases)
            ).text
            let answer = try await stage.server.send(
                .put, "/admin/1/providers/id", headers: [.authorization: "Bearer \(bound)"],
                body: ByteBuffer(string: #"{"roles": ["admins=operator/owner"]}"#))
            #expect(answer.status == 403, "\(answer.text)")
            #expect(try await stage.accounts.providers.require(name: "id").roles.isEmpty)
        }
    }

    @Test(
        "A rule that is none is refused with its text",
        arguments: [
            "admins", "=operator/owner", "admins=operator/root", "admins=operator", "a=c/production", "a=c/staging/r",
            "a=c/production/", "a=/production/r", "a=c/production/r/s",
        ])
    func refused(rule: String) { #expect(GroupRole(rule) == nil) }

    @Test("A group's name may have a sign of equality")
    func groupNames() throws {
        let role = try Self.role("cn=admins,dc=example=operator/editor")
        #expect(role.group == "cn=admins,dc=example" && role.role == .operator(.editor))
        #expect(role.text == "cn=admins,dc=example=operator/editor")
    }
}

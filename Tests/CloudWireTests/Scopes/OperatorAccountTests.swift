@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
import NIOCore
import Testing

/// The ways into the account of an operator, and out of the last one, that somebody might try.
@Suite(.timeLimit(.minutes(20)))
struct OperatorAccountTests {
    private static let bound: Set<ManagementScope> = [.people, .recordsRead, .recordsWrite]

    @Test("A token that sets passwords cannot take over an owner who has no authenticator app yet")
    func passwordThief() async throws {
        try await ConsoleOperator.run { ines in
            let token = try await ines.server.managementToken(Self.bound)
            let set = try await ines.server.manage(
                .put, "users/\(ConsoleOperator.email)/password", token: token,
                body: #"{"password": "a thief's long word"}"#)
            #expect(set.status == 403 && set.reason.contains("is an operator"), "\(set.text)")
            #expect(try await ines.givePassword("a thief's long word").status == 401)
        }
    }

    @Test("A new operator's authenticator app needs the code that 'operator add' printed")
    func enrolment() async throws {
        let clock = TestClock()
        try await ConsoleOperator.run(clock: clock) { ines in
            let wrong = ["", "AAAA-BBBB-CCCC-DDDD", String(ines.enrolment.dropLast()), "000000"]
            for code in wrong {
                let thief = ConsoleOperator(ines.server, enrolment: code)
                let answer = try await thief.enrol()
                #expect(answer.status == 401 && answer.text.contains("One of the codes is wrong"), "\(answer.text)")
                #expect(try await thief.visitor.open("/console").status == 303)
            }
            #expect(try await ines.server.accounts.operators.list().first?.hasSecondFactor == false)
            // However it is typed, and once.
            let typed = ConsoleOperator(
                ines.server, enrolment: " " + ines.enrolment.lowercased().replacing("-", with: ""))
            #expect(try await typed.enrol().status == 200)
            #expect(try await typed.visitor.open("/console").status == 200)
            let reset = try await ines.server.accounts.operators.resetSecondFactor(email: ConsoleOperator.email)
            #expect(try await typed.visitor.open("/console").status == 303)
            #expect(try await ConsoleOperator(ines.server, enrolment: ines.enrolment).enrol().status == 401)
            clock.advance(.seconds(7 * 86400))
            #expect(try await ConsoleOperator(ines.server, enrolment: reset.code).enrol().status == 401)
            let again = try await ines.server.accounts.operators.resetSecondFactor(email: ConsoleOperator.email)
            #expect(try await ConsoleOperator(ines.server, enrolment: again.code).enrol().status == 200)
        }
    }

    @Test("An owner gives another operator an enrolment code in the console, shown once")
    func consoleCodes() async throws {
        try await ConsoleOperator.run { ines in
            try await ines.enrol()
            _ = try await ines.server.accounts.users.create(email: "omar@example.com")
            _ = try await ines.server.accounts.users.setPassword(ConsoleOperator.password, email: "omar@example.com")
            let path = "/console/settings/operators"
            _ = try await ines.visitor.open(path)
            for fields in [
                ["do": "add", "email": "omar@example.com", "role": "viewer"],
                ["do": "reset", "email": "omar@example.com"],
            ] {
                let page = try await ines.visitor.submit(path, fields)
                let code = try #require(
                    page.text.firstMatch(of: #/<code dir="ltr">([A-Z2-7-]{19})</#)?.output.1, "\(page.text)")
                #expect(try await !ines.visitor.open(path).text.contains(code))
                let omar = ConsoleOperator(ines.server, enrolment: String(code))
                #expect(try await omar.givePassword(email: "omar@example.com").status == 303)
                #expect(try await omar.setUp().status == 200)
            }
        }
    }

    @Test("The last owner cannot be removed or demoted by any route")
    func lastOwner() async throws {
        try await ConsoleOperator.run { ines in
            let (server, accounts, email) = (ines.server, ines.server.accounts, ConsoleOperator.email)
            let token = try await server.managementToken()
            let ways: [(HTTPRequest.Method, String, String?)] = [
                (.delete, "operators/\(email)", nil), (.put, "operators/\(email)/role", #"{"role": "editor"}"#),
                (.post, "users/\(email)/disable", nil), (.post, "users/\(email)/deletion", nil),
            ]
            func refusedEverywhere() async throws {
                for (method, path, body) in ways {
                    let answer = try await server.manage(method, path, token: token, body: body)
                    #expect(
                        answer.status == 409 && answer.reason.contains("the last owner"), "\(path): \(answer.text)")
                }
            }
            try await refusedEverywhere()
            // Others who cannot sign in as owners are none.
            for (name, role) in [("viewer", OperatorRole.viewer), ("gone", .owner)] {
                _ = try await accounts.users.create(email: "\(name)@example.com")
                _ = try await accounts.operators.add(email: "\(name)@example.com", role: role)
            }
            _ = try await accounts.users.setDisabled(true, email: "gone@example.com")
            try await refusedEverywhere()
            // The person themselves.
            let visitor = WebVisitor(server)
            _ = try await visitor.open("/auth/signin?return=%2Faccount%2Fdelete")
            let signedIn = try await visitor.submit(
                "/auth/signin", ["email": email, "password": ConsoleOperator.password])
            #expect(signedIn.status == 303, "\(signedIn.text)")
            _ = try await visitor.open("/account/delete")
            let deleted = try await visitor.submit("/account/delete", ["password": ConsoleOperator.password])
            #expect(deleted.status == 409 && deleted.text.contains("the last owner"), "\(deleted.text)")
            let left = try await accounts.operators.list()
            #expect(left.contains { $0.role == .owner && !$0.account.disabled })
            // With another owner each of them is done.
            _ = try await accounts.users.create(email: "second@example.com")
            _ = try await accounts.operators.add(email: "second@example.com", role: .owner)
            #expect(try await server.manage(.delete, "operators/\(email)", token: token).status == 200)
        }
    }

    @Test("Two owners who remove each other at a time leave one owner")
    func concurrentRemovals() async throws {
        try await TestServer.run(dev: false) { server in
            let accounts = server.accounts
            for name in ["a", "b"] { _ = try await accounts.users.create(email: "\(name)@example.com") }
            for _ in 0..<10 {
                for name in ["a", "b"]
                where try await !accounts.operators.list().contains(where: { $0.account.handle.hasPrefix(name) }) {
                    _ = try await accounts.operators.add(email: "\(name)@example.com", role: .owner)
                }
                await withTaskGroup { group in
                    for name in ["a", "b"] {
                        group.addTask { try? await accounts.operators.remove(email: "\(name)@example.com") }
                    }
                }
                #expect(try await accounts.operators.list().count == 1)
            }
        }
    }

    @Test("Registering an operator's address does not take over the operator's account")
    func registration() async throws {
        try await TestServer.run(dev: false) { server in
            let accounts = server.accounts
            _ = try await accounts.users.create(email: "ines@example.com", emailVerified: false)
            // An address that nobody has confirmed makes no operator.
            let error = await #expect(throws: ServerError.self) {
                _ = try await accounts.operators.add(email: "ines@example.com", role: .owner)
            }
            #expect(error?.code == .badRequest)
            let begun = try await accounts.registrations.begin(
                email: "ines@example.com", password: "a thief's long word", givenName: nil, familyName: nil)
            _ = try await accounts.users.confirmAddress(email: "ines@example.com")
            let added = try await accounts.operators.add(email: "ines@example.com", role: .owner)
            let outcome = try await accounts.registrations.confirm(id: begun.id, code: try #require(begun.code))
            #expect(outcome == .gone)
            #expect(try await accounts.operators.list().map(\.account) == [added.operator.account])
            let again = try await accounts.registrations.begin(
                email: "INES@example.com", password: "a thief's long word", givenName: nil, familyName: nil)
            #expect(again.code == nil)
        }
    }

    @Test("Granting a role needs the scopes of what the schema grants to it")
    func roles() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let wide = try await server.managementToken()
            let path = "iCloud.com.example.test/development/"
            let schema = try await server.send(
                .put, "/admin/1/\(path)schema", headers: [.authorization: "Bearer \(wide)"],
                body: ByteBuffer(string: "DEFINE SCHEMA CREATE ROLE Editor;"))
            #expect(schema.status == 200, "\(schema.text)")
            let narrow = try await server.managementToken([.people])
            let role = path + "roles/Editor/\(mei.user)"
            #expect(try await server.manage(.put, role, token: narrow).status == 403)
            #expect(try await server.manage(.put, role, token: wide).status == 200)
            #expect(try await server.manage(.delete, role, token: narrow).status == 200)
        }
    }
}

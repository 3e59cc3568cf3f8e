import CloudAccounts
import CloudHTTP
import TestCloud
import CloudModel
import CloudOperations
import Testing

/// Operations that each role may run in the console.
@Suite(.timeLimit(.minutes(20)))
struct OperatorRoleTests {
    @Test("Each role may run exactly its operations", arguments: OperatorRole.allCases)
    func allowedOperations(role: OperatorRole) async throws {
        try await TestServer.run { server in
            let stores = StoreOperations(
                workplace: Workplace(
                    folder: server.folder, accounts: server.accounts, stores: nil, limits: Limits()),
                identity: OperatorIdentity(name: "test", role: role))
            var allowed: [String] = []
            for operation in OperationCatalogue.all {
                let route = operation.route
                do {
                    _ = try await operation.run(stores, Arguments(["no such": .bool(true)]))
                } catch let error as ServerError {
                    // Who may run it is told of the argument that it does not know.
                    #expect([.accessDenied, .badRequest].contains(error.code))
                    if error.code == .badRequest, route.isChange { allowed.append(route.path) }
                    if !route.isChange { #expect(error.code == .badRequest, "\(route.path)") }
                }
            }
            let changes = OperationCatalogue.all.map(\.route).filter(\.isChange).map(\.path)
            switch role {
            case .viewer: #expect(allowed.isEmpty)
            case .editor:
                #expect(
                    allowed == [
                        "{container}/{environment}/records/modify", "{container}/{environment}/assets/upload",
                        "{container}/{environment}/shares/{shortGUID}",
                    ])
            case .owner: #expect(allowed == changes)
            }
        }
    }

    @Test("A form that the operator's role does not allow is refused", arguments: [OperatorRole.viewer, .editor])
    func lesserRoles(role: OperatorRole) async throws {
        try await ConsoleOperator.run(role: role) { ines in
            try await ines.enrol()
            for path in ConsoleTests.paths where !["record", "person", "type="].contains(where: path.contains) {
                #expect(try await ines.visitor.open(path).status == 200, "\(path)")
            }
            _ = try await ines.visitor.open("/console/person?email=ines@example.com")
            let person = try await ines.visitor.submit(
                "/console/person", ["email": ConsoleOperator.email, "do": "disable"])
            #expect(
                person.status == 403 && person.text.contains("an owner can give you another role"), "\(person.text)")
            let place = "container=iCloud.com.example.test&environment=development"
            _ = try await ines.visitor.open("/console/schema/deploy?\(place)")
            let deployment = try await ines.visitor.submit(
                "/console/schema/deploy",
                ["agreed": "yes", "container": "iCloud.com.example.test", "environment": "development", "tag": ""])
            #expect(deployment.status == 403, "\(deployment.text)")
            let token = try await ines.visitor.open("/console/settings")
            #expect(token.status == 200)
        }
    }

    @Test("Buttons that a role may not use are disabled, with the reason beside them", arguments: OperatorRole.allCases)
    func buttons(role: OperatorRole) async throws {
        try await ConsoleOperator.run(role: role) { ines in
            let place = "container=iCloud.com.example.test&environment=development"
            let token = try await ines.server.managementToken()
            let note =
                #"{"operationType": "create", "record": {"recordName": "n1", "recordType": "Note", "fields": {"title": {"value": "one"}}}}"#
            let made = try await ines.server.manage(
                .post, "iCloud.com.example.test/development/records/modify", token: token,
                body: #"{"operations": [\#(note)]}"#)
            #expect(made.status == 200, "\(made.text)")
            try await ines.enrol()
            let records = ["/data?\(place)&type=Note", "/record?\(place)&name=n1", "/import?\(place)"]
            let others = ["/schema/deploy?\(place)", "/person?email=\(ConsoleOperator.email)"]
            for path in records + others {
                let page = try await ines.visitor.open("/console" + path)
                #expect(page.status == 200, "\(path)")
                let (on, off) = changing(page.text)
                let mayAll = role == .owner || role == .editor && records.contains(path)
                #expect(mayAll ? !on.isEmpty && off.isEmpty : on.isEmpty && !off.isEmpty, "\(path): \(on) \(off)")
                #expect(page.text.contains(#"id="bound""#) == !mayAll, "\(path)")
                if !mayAll { #expect(page.text.contains("an owner can give you another role"), "\(path)") }
            }
        }
    }

    /// The buttons that change something: what is in forms that are posted, but for looks and the sign-out.
    private func changing(_ page: String) -> (on: [String], off: [String]) {
        let forms = page.matches(of: #/(?s)<form[^>]*method="post"[^>]*>.*?<\/form>/#).map { String($0.output) }
        var (on, off): ([String], [String]) = ([], [])
        for form in forms where !form.contains(#"/console/signout""#) && !form.contains(#"/console/download""#) {
            for match in form.matches(of: #/<button[^>]*>/#) {
                let button = String(match.output)
                guard !button.contains(#"type="button""#), !button.contains(#""/console/rehearsal""#) else { continue }
                if button.hasSuffix(#" disabled aria-describedby="bound">"#) {
                    off.append(button)
                } else {
                    on.append(button)
                }
            }
        }
        return (on, off)
    }
}

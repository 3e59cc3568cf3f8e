import CloudModel
import CloudOperations
import CloudServer
import CloudStore
import HTTPTypes
import Testing

/// What each role may do in the console, operation by operation.
@Suite(.timeLimit(.minutes(20)))
struct OperatorRoleTests {
    /// Those that read although they are sent with a body.
    private static let reading = [
        "check", "{container}/{environment}/act-as", "{container}/{environment}/records/query",
    ]

    @Test func everyOperationThatIsNoLookLeavesALine() {
        for operation in OperationCatalogue.all where operation.route.method != .get {
            let route = operation.route
            #expect(route.isChange != Self.reading.contains(route.path), "\(route.method) \(route.path)")
        }
        for operation in OperationCatalogue.all where operation.route.method == .get {
            #expect(!operation.route.isChange, "\(operation.route.path)")
        }
    }

    @Test(arguments: OperatorRole.allCases)
    func aRoleDoes(role: OperatorRole) async throws {
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
                        "{container}/{environment}/records/modify", "{container}/{environment}/shares/{shortGUID}",
                    ])
            case .owner: #expect(allowed == changes)
            }
        }
    }

    @Test(arguments: [OperatorRole.viewer, .editor])
    func formsOfLesserRolesAreRefused(role: OperatorRole) async throws {
        try await ConsoleOperator.run(role: role) { ines in
            try await ines.enrol()
            for path in ConsoleTests.paths where !path.contains("record") && !path.contains("person") {
                #expect(try await ines.visitor.open(path).status == 200, "\(path)")
            }
            _ = try await ines.visitor.open("/console/person?email=ines@example.com")
            let person = try await ines.visitor.submit(
                "/console/person", ["email": ConsoleOperator.email, "do": "disable"])
            #expect(person.status == 403 && person.text.contains("an owner can give another role"), "\(person.text)")
            let place = "container=iCloud.com.example.test&environment=development"
            _ = try await ines.visitor.open("/console/deploy?\(place)")
            let deployment = try await ines.visitor.submit(
                "/console/deploy",
                ["agreed": "yes", "container": "iCloud.com.example.test", "environment": "development", "tag": ""])
            #expect(deployment.status == 403, "\(deployment.text)")
            let token = try await ines.visitor.open("/console/settings")
            #expect(token.status == 200)
        }
    }
}

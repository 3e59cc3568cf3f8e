@testable import CloudHTTP
@testable import CloudWire
import CloudAccounts
import TestCloud
import CloudModel
import CloudOperations
import NIOCore
import Testing

/// Scope × operation × whose account: the walls around every operation of the catalogue.
@Suite(.timeLimit(.minutes(20)))
struct ScopeMatrixTests {
    @Test("Every operation of the catalogue has its access rules written down, and in openapi.yaml")
    func catalogue() throws {
        let routes = OperationCatalogue.all.map(\.route)
        for route in routes {
            let name = "\(route.method.rawValue) \(route.path)"
            let wall = try #require(OperationWalls.all[name], "OperationWalls says nothing of \(name)")
            #expect(wall.scopes == Set(route.scopes), "\(name)")
            let look: String? = if case .look(let action) = route.audit { action } else { nil }
            #expect(wall.look == look, "\(name)")
            #expect(
                (OperationWalls.verdicts[name] == nil) == route.scopes.contains(.recordsRead),
                "OperationWalls.verdicts has to say why \(name) shows nothing that is private")
        }
        #expect(routes.count == OperationWalls.all.count)
        let walls = OperationWalls.all
        for (pattern, endpoints) in AdminRoutes.table {
            for (method, row) in endpoints {
                let name = "\(method.rawValue) \(pattern)"
                #expect(walls[name].map(\.scopes) == Set(row.route.scopes), "\(name)")
                let described = Contract.shared.document[path: "paths"]?.object?["/admin/1/\(pattern)"]?[
                    path: "\(method.rawValue.lowercased()).description"]?.string
                let words = (described ?? "").prefix { !";.".contains($0) }.split { " ,".contains($0) }
                let named = Set(words.map(String.init))
                #expect(Set(row.route.scopes.map(\.rawValue)).isSubset(of: named), "\(name): \(described ?? "")")
            }
        }
    }

    @Test("Every operation on an operator's account needs the scopes that creating an operator needs")
    func accounts() async throws {
        // Wrong guesses and mails of one address are counted, and a matrix has many.
        try await TestServer.run(dev: false) { server in
            let world = try await ScopeWorld(server)
            for (name, wall) in OperationWalls.all.sorted(by: { $0.key < $1.key }) where wall.account != .none {
                for person in ScopeWorld.Person.allCases {
                    for caller in try await world.callers(of: wall) {
                        try await check(name, wall, person, caller, world)
                    }
                }
            }
            // No password has become another's, and the last owner is there.
            for person in ScopeWorld.Person.allCases where person != .nobody {
                #expect(
                    try await server.accounts.users.find(email: person.email, password: ScopeWorld.password) != nil,
                    "\(person)")
            }
        }
    }

    private func check(
        _ name: String, _ wall: OperationWall, _ person: ScopeWorld.Person, _ caller: ScopeWorld.Caller,
        _ world: ScopeWorld
    ) async throws {
        let session = try await world.prepare()
        let before = try await world.state()
        let answer = try await world.send(name, wall, person, caller, session: session[person])
        let what: Comment = "\(caller.name): \(name) of \(person): \(answer.status) \(answer.text.prefix(300))"
        #expect(answer.status < 500 || answer.code == "TRY_AGAIN_LATER", what)
        let needsAll = person != .nobody && wall.account == .changes
        let isLet =
            caller.scopes.isSuperset(of: wall.scopes) && (!needsAll || caller.scopes.count == 5)
            && (!caller.isBound || name == "POST sessions" && !needsAll)
        #expect((answer.status != 403) == isLet, what)
        if wall.account == .looks || !isLet { #expect(try await world.state() == before, what) }
        if person == .lastOwner {
            let role = try await world.server.accounts.operators.list().first { $0.account.email == person.email }
            #expect(role?.role == .owner && role?.account.disabled == false, what)
        }
        // The password of an operator was set by somebody who may.
        if isLet, name.contains("password") { try await world.restorePasswords() }
    }

    @Test("Without records:read no operation answers a value, or the fields of a record")
    func values() async throws {
        try await TestServer.run { server in
            let world = try await PrivateWorld(server)
            for scopes in [Set(ManagementScope.allCases).subtracting([.recordsRead])]
                + ManagementScope.allCases.filter({ $0 != .recordsRead }).map({ [$0] as Set })
            {
                let token = try await server.managementToken(scopes)
                for route in OperationCatalogue.all.map(\.route) {
                    for (path, body) in world.calls(of: route) {
                        let answer = try await server.send(
                            HTTPRequest.Method(rawValue: route.method.rawValue)!, "/admin/1/\(path)",
                            headers: [.authorization: "Bearer \(token)"], body: body.map { ByteBuffer(string: $0) })
                        #expect(
                            !answer.text.contains(PrivateWorld.secret),
                            "\(scopes) \(route.method) \(path): \(answer.text.prefix(1000))")
                    }
                }
            }
            // The marker would have been found.
            let token = try await server.managementToken([.recordsRead, .recordsWrite])
            let all = try await world.modify(#"{"operationType": "forceUpdate", "#, token)
            #expect(all.text.contains(PrivateWorld.secret), "\(all.text)")
        }
    }

    @Test("A change with records:write alone is answered with the record's name and tag")
    func nameAndTag() async throws {
        try await TestServer.run { server in
            let world = try await PrivateWorld(server)
            let token = try await server.managementToken([.recordsWrite])
            let answer = try await world.modify(#"{"operationType": "forceUpdate", "#, token)
            #expect(answer.status == 200, "\(answer.text)")
            let record = try #require(answer["records.0"]?.object, "\(answer.text)")
            #expect(Set(record.members.map(\.key)) == ["recordName", "recordChangeTag"], "\(answer.text)")
        }
    }

    @Test("Every view of private data adds an audit line, once in ten minutes")
    func looks() async throws {
        let clock = TestClock()
        try await TestServer.run(clock: clock.now) { server in
            let world = try await PrivateWorld(server)
            let token = try await server.managementToken()
            for (name, wall) in OperationWalls.all.sorted(by: { $0.key < $1.key }) {
                guard let action = wall.look else { continue }
                let route = try #require(
                    OperationCatalogue.all.map(\.route).first { "\($0.method.rawValue) \($0.path)" == name })
                let (path, body) = try #require(world.calls(of: route).first, "\(name)")
                func lines() async throws -> Int {
                    try await server.accounts.audit.entries(limit: 1000).filter { $0.action == action }.count
                }
                let before = try await lines()
                func look() async throws {
                    let answer = try await server.send(
                        HTTPRequest.Method(rawValue: route.method.rawValue)!, "/admin/1/\(path)",
                        headers: [.authorization: "Bearer \(token)"], body: body.map { ByteBuffer(string: $0) })
                    #expect(answer.status == 200, "\(name): \(answer.text)")
                }
                for _ in 0..<3 { try await look() }
                #expect(try await lines() == before + 1, "\(name)")
                clock.advance(.seconds(601))
                try await look()
                #expect(try await lines() == before + 2, "\(name)")
            }
        }
    }

    @Test("Every view of requests adds an audit line, by token and in the console")
    func requests() async throws {
        try await TestServer.run { server in
            let token = try await server.managementToken([.operations])
            let seen = try await server.send(.get, "/health").headers[.apple.requestUUID] ?? ""
            for path in ["requests", "requests/\(seen)"] {
                let answer = try await server.manage(.get, path, token: token)
                #expect(answer.status == 200, "\(answer.text)")
            }
            for path in ["/console/requests", "/console/request?uuid=\(seen)", "/console/queries"] {
                #expect(try await server.send(.get, path).status == 200, "\(path)")
            }
            let lines = try await server.accounts.audit.entries(limit: 10).filter { $0.action == "looked at requests" }
            #expect(Set(lines.map { "\($0.who.prefix(10)) \($0.subject ?? "all")" }).count == 4, "\(lines)")
        }
    }
}

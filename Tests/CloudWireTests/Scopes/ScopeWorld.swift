@testable import CloudHTTP
import CloudAccounts
import TestCloud
import CloudModel
import NIOCore
import Testing

/// Accounts of each kind, and callers with each set of scopes.
struct ScopeWorld: Sendable {
    enum Person: String, CaseIterable, Sendable {
        case nobody, viewer, lastOwner

        var email: String { "\(rawValue)@example.com".lowercased() }
        var role: OperatorRole? { self == .nobody ? nil : self == .viewer ? .viewer : .owner }
    }

    struct Caller: Sendable {
        let name: String
        let token: String
        let scopes: Set<ManagementScope>
        /// Whether it is for one container.
        var isBound = false
    }

    static let password = "correct horse battery"

    let server: TestServer

    init(_ server: TestServer) async throws {
        self.server = server
        _ = try await server.accounts.containers.ensure(name: "c")
        _ = try await prepare()
    }

    /// Tokens with the scopes that an operation needs, with one less, with one more, and with all.
    func callers(of wall: OperationWall) async throws -> [Caller] {
        let all = Set(ManagementScope.allCases)
        var sets: Set<Set<ManagementScope>> = [wall.scopes, all]
        for scope in all { sets.formUnion([wall.scopes.subtracting([scope]), all.subtracting([scope])]) }
        var callers: [Caller] = []
        for scopes in sets where !scopes.isEmpty {
            callers.append(try await caller(scopes, container: nil))
        }
        return callers + [try await caller(all, container: "c")]
    }

    private func caller(_ scopes: Set<ManagementScope>, container: String?) async throws -> Caller {
        let made = try await server.accounts.managementTokens.create(container: container, name: "t", scopes: scopes)
        return Caller(
            name: ManagementScope.text(scopes) + (container.map { " of \($0)" } ?? ""), token: made.text,
            scopes: scopes, isBound: container != nil)
    }

    /// Has every account as it is to be, each with a session, after whatever a caller was let do.
    ///
    /// - Returns: the ids of the sessions.
    func prepare() async throws -> [Person: String] {
        let accounts = server.accounts
        let container = try await accounts.containers.require(named: "c")
        var sessions: [Person: String] = [:]
        for person in Person.allCases {
            if try await accounts.users.find(email: person.email) == nil {
                _ = try await accounts.users.create(email: person.email)
                _ = try await accounts.users.setPassword(Self.password, email: person.email)
            }
            _ = try await accounts.users.setDisabled(false, email: person.email)
            let known = try await accounts.operators.list().first { $0.account.email == person.email }
            if let role = person.role, known?.role != role {
                if known != nil {
                    _ = try await accounts.operators.setRole(role, email: person.email)
                } else {
                    _ = try await accounts.operators.add(email: person.email, role: role)
                }
            }
            if person.role == nil, known != nil { _ = try await accounts.operators.remove(email: person.email) }
            if try await accounts.sessions.list(email: person.email).isEmpty {
                _ = try await accounts.sessions.create(
                    email: person.email, container: container, environment: .development)
            }
            sessions[person] = try await accounts.sessions.list(email: person.email).first?.id
        }
        return sessions
    }

    func restorePasswords() async throws {
        for person in Person.allCases {
            _ = try await server.accounts.users.setPassword(Self.password, email: person.email)
        }
    }

    /// All that the accounts file says of the accounts.
    func state() async throws -> String {
        let accounts = server.accounts
        return "\(try await accounts.users.all()) \(try await accounts.operators.list()) "
            + "\(try await accounts.sessions.list())"
    }

    func send(
        _ name: String, _ wall: OperationWall, _ person: Person, _ caller: Caller, session: String?
    ) async throws -> Answer {
        let parts = name.split(separator: " ")
        let path = parts[1].replacing("{email}", with: person.email).replacing("{id}", with: session ?? "none")
        let method = try #require(HTTPRequest.Method(rawValue: String(parts[0])))
        return try await server.send(
            method, "/admin/1/\(path)", headers: [.authorization: "Bearer \(caller.token)"],
            body: wall.body.map { ByteBuffer(string: $0.replacing("EMAIL", with: person.email)) })
    }
}

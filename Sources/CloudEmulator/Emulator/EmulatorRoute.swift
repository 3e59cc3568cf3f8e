import CloudAccounts
package import CloudHTTP
package import CloudWire
import CloudModel
import NIOCore

/// Routes for tests to control a development server.
package enum EmulatorRoute: Sendable {
    case container(String, ContainerAction)
    case seed(container: String)
    case clock
    case faults
    case lint

    /// A test's action on a container.
    package enum ContainerAction: Sendable {
        case reset
        case snapshots
        case snapshot(String)
        case restore(String)
    }
}

/// The endpoints of the test controls.
package struct EmulatorEndpoints {
    package let emulator: Emulator
    package let service: WireService

    package init(emulator: Emulator, service: WireService) {
        self.emulator = emulator
        self.service = service
    }

    /// The body limit in bytes; emulator requests are small.
    private static let largestBody = 64 << 10

    package func respond(_ request: Request, _ route: EmulatorRoute) async throws -> Response {
        if let fault = DevelopmentGate(service.http).fault(request.head) {
            throw ServerError(.accessDenied, fault, .credentials(.notForTests))
        }
        let (clock, faults) = (ClockEndpoint(clock: emulator.clock), emulator.faults)
        let lint = LintEndpoint(lint: emulator.lint)
        switch (route, request.method) {
        case (.clock, .get): return .json(clock.show())
        case (.clock, _): return .json(try clock.change(try await Self.object(of: request)))
        case (.faults, .get): return .json(faults.list())
        case (.faults, .delete):
            faults.removeAll()
            return .json(faults.list())
        case (.faults, _):
            let id = try faults.add(try await Self.object(of: request))
            var json = JSONWriter()
            json.object { $0.member("id", Int64(id)) }
            return .json(json)
        case (.lint, .get): return .json(lint.list())
        case (.lint, .delete): return .json(lint.stop())
        case (.lint, _): return .json(try lint.start(try await Self.object(of: request)))
        case (.seed(let container), _):
            let seed = SeedEndpoint(
                accounts: service.accounts, stores: service.stores, limits: service.http.limits)
            let text = String(buffer: try await request.collect(atMost: SeedEndpoint.largestBody))
            return .json(try await seed.respond(text, container))
        case (.container(let name, let action), let method):
            let body = try await Self.object(of: request)
            return .json(try await respond(body, action, method, try await container(named: name)))
        }
    }

    private static func object(of request: Request) async throws -> JSONObject {
        try Request.object(in: try await request.collect(atMost: largestBody))
    }

    private func respond(
        _ body: JSONObject, _ action: EmulatorRoute.ContainerAction, _ method: HTTPRequest.Method,
        _ container: Container
    ) async throws -> JSONWriter {
        let snapshots = SnapshotEndpoints(stores: service.stores, container: container)
        switch action {
        case .reset:
            defer { emulator.lint.forget(container: container.name) }
            return try await ContainerReset(stores: service.stores, container: container).respond(body)
        case .snapshots: return try snapshots.list()
        case .snapshot(let name) where method == .delete: return try await snapshots.delete(name)
        case .snapshot(let name): return try await snapshots.take(name)
        case .restore(let name):
            defer { emulator.lint.forget(container: container.name) }
            return try await snapshots.restore(name, body)
        }
    }

    private func container(named name: String) async throws -> Container {
        if let container = try await service.accounts.reader().container(named: name) { return container }
        throw ServerError(.notFound, "container '\(Naming.shown(name))' does not exist", .missing(.container))
    }
}

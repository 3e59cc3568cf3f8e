import CloudModel
import CloudStore
import Hummingbird

/// What tests do to a development server.
enum EmulatorRoute: Sendable {
    case reset(container: String)
    case clock
    case faults
}

extension Responder {
    /// Bytes of a body; all that is sent here is small.
    private static let largestEmulatorBody = 64 << 10

    func answer(_ request: Request, _ route: EmulatorRoute) async throws -> Response {
        if let fault = DevelopmentGate(configuration).fault(request.head) {
            throw ServerError(.accessDenied, fault, .credentials(.notForTests))
        }
        let (clock, faults) = (ClockEndpoint(clock: configuration.clock), configuration.faults)
        switch (route, request.method) {
        case (.clock, .get): return .json(clock.show())
        case (.faults, .get): return .json(faults.list())
        case (.faults, .delete):
            faults.removeAll()
            return .json(faults.list())
        default: break
        }
        let body = try Self.object(in: try await request.collect(atMost: Self.largestEmulatorBody))
        switch route {
        case .clock: return .json(try clock.change(body))
        case .faults:
            let id = try faults.add(body)
            var json = JSONWriter()
            json.object { $0.member("id", Int64(id)) }
            return .json(json)
        case .reset(let container):
            return .json(try await ContainerReset(accounts: accounts, stores: stores).answer(body, container))
        }
    }
}

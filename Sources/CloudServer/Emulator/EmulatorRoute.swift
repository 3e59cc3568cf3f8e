import CloudModel
import CloudStore
import Hummingbird

/// What tests do to a development server.
enum EmulatorRoute: Sendable {
    case reset(container: String)
    case clock
}

extension Responder {
    /// Bytes of a body; all that is sent here is small.
    private static let largestEmulatorBody = 64 << 10

    func answer(_ request: Request, _ route: EmulatorRoute) async throws -> Response {
        if let fault = DevelopmentGate(configuration).fault(request.head) {
            throw ServerError(.accessDenied, fault, .credentials(.notForTests))
        }
        let clock = ClockEndpoint(clock: configuration.clock)
        if case .clock = route, request.method == .get { return .json(clock.show()) }
        let body = try Self.object(in: try await request.collect(atMost: Self.largestEmulatorBody))
        switch route {
        case .clock: return .json(try clock.change(body))
        case .reset(let container):
            return .json(try await ContainerReset(accounts: accounts, stores: stores).answer(body, container))
        }
    }
}

import CloudModel
import CloudStore
import NIOCore

/// Keeps any number of clients within the server's memory, by counts of connections, requests and answers.
struct RequestBounds: Sendable {
    let connections: Connections
    let requests: RequestsInFlight
    let answers: ResponseCeiling
    let responseBytes: Int
    let trustForwardedFor: Bool
    /// Whether the store notes what it decides and what that costs.
    let areTraced: Bool

    init(_ configuration: ServerConfiguration) {
        let inFlight = configuration.inFlight
        // Behind a proxy all connections are the proxy's, and counting them is the proxy's business.
        connections = Connections(
            mostPerAddress: configuration.trustForwardedFor ? nil : configuration.connectionsPerAddress)
        requests = RequestsInFlight(inFlight)
        answers = ResponseCeiling(most: inFlight.answerBytes, mostPerCaller: inFlight.answerBytesPerCaller)
        responseBytes = configuration.limits.responseBytes
        trustForwardedFor = configuration.trustForwardedFor
        areTraced = configuration.requests.areRecorded || configuration.metricsAddress != nil
    }

    /// The address that a request counts against while nobody else stands behind it; empty for one without a
    /// connection.
    func address(of request: Request, _ context: CloudRequestContext) -> String {
        if let known = context.trace.address { return known }
        let address = clientAddress(of: request, context) ?? ""
        context.trace.note(address: address)
        return address
    }

    private func clientAddress(of request: Request, _ context: CloudRequestContext) -> String? {
        clientAddress(of: request.head, context.exchange?.connection) { context.peer }
    }

    private func clientAddress(
        of request: HTTPRequest, _ connection: Connections.Connection?, peer: () -> SocketAddress?
    ) -> String? {
        if !trustForwardedFor, let known = connection?.address { return known }
        return ClientAddress(headers: request.headerFields, peer: peer(), trustForwardedFor: trustForwardedFor)?.text
    }

    /// The address that the body of a request counts against while nobody has taken it.
    func address(
        of request: HTTPRequest, _ connection: Connections.Connection?, peer: @autoclosure () -> SocketAddress?
    ) -> String {
        clientAddress(of: request, connection, peer: peer) ?? ""
    }

    func allowance(for caller: String) -> ResponseAllowance {
        ResponseAllowance(limit: responseBytes, caller: caller, ceiling: answers)
    }

    /// Runs what answers a request; its reads of the database end when the client hangs up.
    func reading<T: Sendable>(
        as caller: String, _ context: CloudRequestContext, _ body: () async throws -> T
    ) async throws -> T {
        let exchange = context.exchange
        let client = ReadClient(name: caller, trace: areTraced ? context.trace : nil) { exchange?.isGone ?? false }
        return try await withTaskCancellationHandler {
            try await ReadClient.$current.withValue(client) { try await body() }
        } onCancel: {
            client.end()
        }
    }
}

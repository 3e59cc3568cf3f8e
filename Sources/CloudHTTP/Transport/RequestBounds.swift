import CloudModel
package import CloudStore
package import NIOCore

/// Bounds the server's memory by limits on connections, requests and answers.
package struct RequestBounds: Sendable {
    package let connections: Connections
    package let requests: RequestsInFlight
    package let answers: ResponseCeiling
    package let responseBytes: Int
    package let trustForwardedFor: Bool
    /// Whether to trace decisions and costs of the store.
    package let areTraced: Bool

    package init(_ settings: HTTPSettings) {
        let inFlight = settings.inFlight
        // A proxy's connections all share its address; the proxy must limit its clients.
        connections = Connections(
            mostPerAddress: settings.trustForwardedFor ? nil : settings.connectionsPerAddress)
        requests = RequestsInFlight(inFlight)
        answers = ResponseCeiling(most: inFlight.answerBytes, mostPerCaller: inFlight.answerBytesPerCaller)
        responseBytes = settings.limits.responseBytes
        trustForwardedFor = settings.trustForwardedFor
        areTraced = settings.requests.areRecorded || settings.metricsAddress != nil
    }

    /// The address that an anonymous request counts against; empty for a request without a connection.
    package func address(of request: Request, _ context: CloudRequestContext) -> String {
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

    /// The address that unread body bytes count against.
    package func address(
        of request: HTTPRequest, _ connection: Connections.Connection?, peer: @autoclosure () -> SocketAddress?
    ) -> String {
        clientAddress(of: request, connection, peer: peer) ?? ""
    }

    package func allowance(for caller: String) -> ResponseAllowance {
        ResponseAllowance(limit: responseBytes, caller: caller, ceiling: answers)
    }

    /// Runs the handler of a request. Its database reads end when the client disconnects.
    package func reading<T: Sendable>(
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

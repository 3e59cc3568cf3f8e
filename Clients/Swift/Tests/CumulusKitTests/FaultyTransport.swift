import CumulusKit
import Foundation

/// Cuts some requests off, before the server gets them or after it has answered, and has others meet faults of the
/// emulator.
struct FaultyTransport: HTTPTransport {
    enum Fault: Sendable {
        case none
        case cutBefore
        case cutAfter
        /// As JSON.
        case emulated(String)
    }

    let whole: any HTTPTransport
    /// What happens to a request, by its path.
    let decide: @Sendable (_ path: String) -> Fault

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        let fault = decide(request.url.path())
        // A client cannot tell the one from the other.
        let failure = TransportFailure.answerLost("The connection was cut.")
        var request = request
        switch fault {
        case .cutBefore: throw failure
        case .emulated(let fault): request.headers["X-Cumulus-Fault"] = fault
        case .none, .cutAfter: break
        }
        let answer = try await whole.send(request)
        if case .cutAfter = fault { throw failure }
        return answer
    }

    func stream(
        _ request: HTTPRequest
    ) async throws -> (status: Int, chunks: AsyncThrowingStream<Data, any Error>) {
        try await whole.stream(request)
    }
}

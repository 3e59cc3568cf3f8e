import CloudStore
import Hummingbird
import NIOCore

/// The answer to a request, or the wait that has to end before there is one.
enum Reply: Sendable {
    case now(Response)
    /// Until then the request has no task: thousands wait, and a task keeps the memory of the deepest call it has made.
    case later(Wait)

    struct Wait: Sendable {
        let listener: NotificationListener
        let end: NIODeadline
        /// Goes on once the wait has ended.
        let resume: @Sendable (WaitEnding) async throws -> Reply
    }

    /// The same with another answer in the end.
    func map(_ change: @escaping @Sendable (Response) -> Response) -> Reply {
        switch self {
        case .now(let response): .now(change(response))
        case .later(let wait):
            .later(
                Wait(listener: wait.listener, end: wait.end) { try await wait.resume($0).map(change) })
        }
    }

    /// The answer, waited for in the caller's task.
    func response() async throws -> Response {
        var reply = self
        while true {
            switch reply {
            case .now(let response): return response
            case .later(let wait):
                reply = try await wait.resume(await wait.listener.wait(within: wait.end - .now()))
            }
        }
    }
}

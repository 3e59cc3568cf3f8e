import CloudStore
import NIOCore

/// The answer to a request, or the wait that has to end before there is one.
enum Reply: Sendable {
    case now(Response)
    /// Until then the request has no task: thousands wait, and a task keeps the memory of the deepest call it has made.
    case later(Wait)

    struct Wait: Sendable {
        let listener: NotificationListener
        let end: NIODeadline
        /// The answer for a message that was handed over, where that takes nothing else; on the connection's event loop.
        let atOnce: @Sendable (HandedMessage) -> Answer?
        /// Goes on once the wait has ended.
        let resume: @Sendable (WaitEnding) async throws -> Reply

        /// The same with another answer in the end.
        func map(
            _ change: @escaping @Sendable (Response) -> Response,
            _ resume: @escaping @Sendable (WaitEnding) async throws -> Reply
        ) -> Wait {
            Wait(
                listener: listener, end: end,
                atOnce: { [atOnce] in
                    guard var answer = atOnce($0) else { return nil }
                    answer.response = change(answer.response)
                    return answer
                }, resume: resume)
        }
    }

    /// A whole answer, which brings a message.
    struct Answer: Sendable {
        var response: Response
        let message: TokenReader.Message
        let reader: TokenReader
        /// To leave once the message is noted as delivered, or could not be sent.
        let listener: NotificationListener
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

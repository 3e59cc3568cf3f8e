import CloudStore
import NIOCore

/// An answer, or the pending work or wait before an answer.
enum Reply: Sendable {
    case now(Response)
    /// Work that may suspend or take long, and needs a task.
    case work(@Sendable () async throws -> Reply)
    /// A wait without a task: thousands of polls wait, and a task keeps the memory of its deepest call.
    case later(Wait)

    struct Wait: Sendable {
        let listener: NotificationListener
        let end: NIODeadline
        /// Answers with a handed-over message, if no database read is needed; on the connection's event loop.
        let atOnce: @Sendable (HandedMessage) -> Answer?
        /// Resumes after the wait.
        let resume: @Sendable (WaitEnding) async throws -> Reply

        /// A copy that changes the final answer.
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

    /// A complete answer that delivers a message.
    struct Answer: Sendable {
        var response: Response
        let message: TokenReader.Message
        let reader: TokenReader
        /// Leaves after the message was recorded as delivered, or could not be sent.
        let listener: NotificationListener
    }

    /// Awaits the answer in the caller's task.
    func response() async throws -> Response {
        var reply = self
        while true {
            switch reply {
            case .now(let response): return response
            case .work(let work): reply = try await work()
            case .later(let wait):
                reply = try await wait.resume(await wait.listener.wait(within: wait.end - .now()))
            }
        }
    }

    /// A reply whose answer is changed by `change`.
    func map(_ change: @escaping @Sendable (Response) -> Response) -> Reply {
        switch self {
        case .now(let response): .now(change(response))
        case .work(let work): .work { try await work().map(change) }
        case .later(let wait): .later(wait.map(change) { try await wait.resume($0).map(change) })
        }
    }

    /// A reply that turns an error of its work or wait into an answer.
    func recovering(_ answer: @escaping @Sendable (any Error) async throws -> Response) -> Reply {
        @Sendable func recovered(_ work: () async throws -> Reply) async throws -> Reply {
            do { return try await work().recovering(answer) } catch { return .now(try await answer(error)) }
        }
        switch self {
        case .now: return self
        case .work(let work): return .work { try await recovered(work) }
        case .later(let wait):
            return .later(wait.map({ $0 }) { ending in try await recovered { try await wait.resume(ending) } })
        }
    }
}

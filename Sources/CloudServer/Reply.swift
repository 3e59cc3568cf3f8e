import CloudStore
import NIOCore

/// The answer to a request, or the work or wait that has to end before there is an answer.
enum Reply: Sendable {
    case now(Response)
    /// Work that may wait or take long, and needs a task.
    case work(@Sendable () async throws -> Reply)
    /// Until the wait ends the request has no task: thousands wait, and a task keeps the memory of the deepest call it has
    /// made.
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
            case .work(let work): reply = try await work()
            case .later(let wait):
                reply = try await wait.resume(await wait.listener.wait(within: wait.end - .now()))
            }
        }
    }

    /// The reply whose answer `change` makes of this reply's.
    func map(_ change: @escaping @Sendable (Response) -> Response) -> Reply {
        switch self {
        case .now(let response): .now(change(response))
        case .work(let work): .work { try await work().map(change) }
        case .later(let wait): .later(wait.map(change) { try await wait.resume($0).map(change) })
        }
    }

    /// The reply that `answer` gives an answer where work or a wait ends with an error.
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

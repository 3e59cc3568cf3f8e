package import CloudStore
package import NIOCore

/// An answer, or the pending work or wait before an answer.
package enum Reply: Sendable {
    case now(Response)
    /// Work that may suspend or take long, and needs a task.
    case work(@Sendable () async throws -> Reply)
    /// A wait without a task: thousands of polls wait, and a task keeps the memory of its deepest call.
    case later(any PendingAnswer)

    /// A complete answer that delivers a message.
    package struct Answer: Sendable {
        package var response: Response
        package let delivery: any MessageDelivery

        package init(response: Response, delivery: any MessageDelivery) {
            self.response = response
            self.delivery = delivery
        }
    }

    /// Awaits the answer in the caller's task.
    ///
    /// - Parameter resumed: gives the reply after a wait.
    package func response(
        resumed: (any PendingAnswer, WaitEnding) async throws -> Reply = { try await $0.resume($1) }
    ) async throws -> Response {
        var reply = self
        while true {
            switch reply {
            case .now(let response): return response
            case .work(let work): reply = try await work()
            case .later(let pending):
                reply = try await resumed(pending, await pending.listener.wait(within: pending.end - .now()))
            }
        }
    }

    /// A reply whose answer is changed by `change`. A wait is unchanged: its answer runs the steps again.
    package func map(_ change: @escaping @Sendable (Response) -> Response) -> Reply {
        switch self {
        case .now(let response): .now(change(response))
        case .work(let work): .work { try await work().map(change) }
        case .later: self
        }
    }

    /// A reply that turns an error of its work into an answer.
    package func recovering(_ answer: @escaping @Sendable (any Error) async throws -> Response) -> Reply {
        guard case .work(let work) = self else { return self }
        return .work {
            do { return try await work().recovering(answer) } catch { return .now(try await answer(error)) }
        }
    }
}

/// The state of a request that waits for a notification.
package protocol PendingAnswer: AnyObject, Sendable {
    var listener: NotificationListener { get }
    /// The time at which the wait ends without a notification.
    var end: NIODeadline { get }

    /// Answers with a handed-over message, on the connection's event loop; nil if the database must be read.
    func answer(_ handed: HandedMessage) -> Reply.Answer?
    /// Resumes after the wait.
    func resume(_ ending: WaitEnding) async throws -> Reply
}

/// A message on its way to a poll.
package protocol MessageDelivery: AnyObject, Sendable {
    /// Ends the delivery, after the message was recorded as delivered or could not be sent.
    func end()

    /// Records the messages of deliveries, this one and others of the same kind, as delivered.
    ///
    /// - Parameter recorded: called with each group of deliveries once their record is written, or has failed.
    func record(_ deliveries: [any MessageDelivery], _ recorded: @escaping @Sendable ([any MessageDelivery]) -> Void)
}

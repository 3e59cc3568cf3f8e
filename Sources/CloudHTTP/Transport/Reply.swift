package import CloudStore
package import NIOCore

/// An answer, or the pending work or wait before an answer.
package enum Reply: Sendable {
    case now(Response)
    /// Work that may suspend or take long, and needs a task.
    case work(@Sendable () async throws -> Reply)
    /// Work on another thread, which needs no task.
    case started(StartedWork)
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
    /// - Parameter resumed: the reply after a wait or started work, given the endpoint's.
    package func response(
        resumed: (Result<Reply, any Error>) throws -> Reply = { try $0.get() }
    ) async throws -> Response {
        var reply = self
        while true {
            switch reply {
            case .now(let response): return response
            case .work(let work): reply = try await work()
            case .started(let work):
                let answer = await work.finished()
                reply = try resumed(Result { try answer() })
            case .later(let pending):
                let ending = await pending.listener.wait(within: pending.end - .now())
                reply = try resumed(.success(.work { try await pending.resume(ending) }))
            }
        }
    }

    /// A reply whose answer is changed by `change`. Started work and a wait are unchanged: their answers run the steps again.
    package func map(_ change: @escaping @Sendable (inout Response) -> Void) -> Reply {
        switch self {
        case .now(var response):
            change(&response)
            return .now(response)
        case .work(let work): return .work { try await work().map(change) }
        case .started, .later: return self
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

/// Work on another thread, such as the writer's, that calls back once.
package struct StartedWork: Sendable {
    /// Gives the reply of the finished work. Called on the connection's event loop, or in a task.
    package typealias Answer = @Sendable () throws -> Reply

    /// Starts the work, and calls `done` on any thread once it is finished.
    package let start: @Sendable (_ done: @escaping @Sendable (@escaping Answer) -> Void) -> Void

    package init(_ start: @escaping @Sendable (@escaping @Sendable (@escaping Answer) -> Void) -> Void) {
        self.start = start
    }

    /// Awaits the end of the work in the caller's task.
    package func finished() async -> Answer {
        await withCheckedContinuation { continuation in start { continuation.resume(returning: $0) } }
    }

    /// The same work, with `body` called before its reply is given.
    package func beforeAnswer(_ body: @escaping @Sendable () -> Void) -> StartedWork {
        StartedWork { [start] done in
            start { answer in
                done {
                    body()
                    return try answer()
                }
            }
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

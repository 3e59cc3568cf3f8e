package import CloudModel

extension RequestRecord {
    /// Writes the JSON form for the admin API and the files.
    ///
    /// - Parameter email: the user's email address; nil omits it.
    package func write(to writer: inout JSONWriter, email: String? = nil) {
        writer.object {
            $0.member("uuid", id)
            $0.member("position", position)
            $0.member("time", time.milliseconds)
            $0.member("method", method)
            $0.member("route", String(route))
            $0.member("container", container)
            $0.member("environment", environment?.rawValue)
            $0.member("database", database?.rawValue)
            $0.member("user", user)
            $0.member("email", email)
            $0.member("address", address)
            $0.member("traceparent", traceparent)
            $0.member("status", Int64(status))
            $0.member("serverErrorCode", refusal?.code?.rawValue)
            $0.member("reason", refusal?.reason)
            writeCost(to: &$0)
            writeOperations(to: &$0)
            $0.key("trail")
            $0.array { for step in trail { step.write(to: &$0) } }
            $0.member("line", line(now: nil))
        }
    }

    private func writeCost(to writer: inout JSONWriter) {
        writer.key("cost")
        writer.object {
            $0.member("microseconds", duration.wholeMicroseconds)
            $0.member("queueMicroseconds", cost.queue.wholeMicroseconds)
            $0.member("storeMicroseconds", cost.store.wholeMicroseconds)
            $0.member("renderingMicroseconds", rendering.wholeMicroseconds)
            $0.member("bytesIn", Int64(cost.bytesIn))
            if let bytesOut { $0.member("bytesOut", Int64(bytesOut)) }
            $0.member("statements", Int64(cost.statements))
            $0.member("rowsRead", Int64(cost.rowsRead))
            $0.member("rowsAnswered", Int64(cost.rowsAnswered))
            $0.member("notifications", Int64(cost.notifications))
        }
    }

    private func writeOperations(to writer: inout JSONWriter) {
        guard succeeded + failed > 0 else { return }
        writer.member("succeeded", Int64(succeeded))
        writer.member("failed", Int64(failed))
        writer.key("operations")
        writer.array {
            for operation in operations {
                $0.object {
                    $0.member("index", Int64(operation.index))
                    $0.member("recordName", operation.recordName)
                    $0.member("recordType", operation.recordType)
                    $0.member("serverErrorCode", operation.code?.rawValue)
                    $0.member("reason", operation.reason)
                    guard let cause = operation.cause else { return }
                    $0.key("cause")
                    cause.trailEntry.write(to: &$0)
                }
            }
        }
    }

    /// The passed steps, followed by the cause of a refusal.
    package var trail: [TrailEntry] {
        steps.map { TrailEntry(step: $0.kind, outcome: .passed, text: $0.text) }
            + (refusal.map { [$0.cause.trailEntry] } ?? [])
    }
}

/// A step of a trail in display form.
package struct TrailEntry: Hashable, Sendable {
    package enum Outcome: String, Sendable {
        case passed, stopped
    }

    package let step: String
    package let outcome: Outcome
    package let text: String

    package init(step: String, outcome: Outcome, text: String) {
        self.step = step
        self.outcome = outcome
        self.text = text
    }

    package func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("step", step)
            $0.member("outcome", outcome.rawValue)
            $0.member("text", text)
        }
    }
}

extension Cause {
    fileprivate var trailEntry: TrailEntry { TrailEntry(step: kind, outcome: .stopped, text: text) }
}

extension Duration {
    package var wholeMicroseconds: Int64 { Int64(clamping: Int128(attoseconds / 1_000_000_000_000)) }
}

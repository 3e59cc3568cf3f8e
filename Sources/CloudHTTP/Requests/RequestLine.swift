package import CloudModel

extension RequestRecord {
    /// The log line of a request: `POST private/records/modify 200 12 ms  2 ok, 1 CONFLICT note/17 (tag 4, is 6)`.
    ///
    /// - Parameter now: the current time, for the age of a conflict; nil omits ages.
    package func line(now: Timestamp?) -> String {
        let head = "\(method) \(path) \(status) \(Self.milliseconds(duration))"
        let rest = details(now: now)
        return rest.isEmpty ? head : head + "  " + rest
    }

    private func details(now: Timestamp?) -> String {
        if let refusal {
            return (refusal.code.map { "\($0.rawValue) " } ?? "") + explained(refusal.reason, refusal.cause, now)
        }
        guard failed > 0 || succeeded > 1 else { return "" }
        var parts = succeeded > 0 ? ["\(succeeded) ok"] : []
        // Names the failing operations of an atomic batch, and counts the operations rolled back with them.
        let culprits = operations.filter { $0.code != nil && $0.code != .atomicError }
        let along = failed - culprits.count
        for operation in culprits.prefix(3) { parts.append("1 \(told(operation, now))") }
        if culprits.count > 3 { parts.append("\(culprits.count - 3) more refused") }
        if along > 0 { parts.append("\(along) \(ServerError.Code.atomicError.rawValue)") }
        return parts.joined(separator: ", ")
    }

    private func told(_ operation: OperationRecord, _ now: Timestamp?) -> String {
        let name = [operation.recordType, operation.recordName].compactMap(\.self).joined(separator: "/")
        let place = name.isEmpty ? "operation \(operation.index)" : name
        let cause = operation.cause.map { " (\(explained(operation.reason ?? "", $0, now)))" } ?? ""
        return "\(operation.code?.rawValue ?? "") \(place)\(cause)"
    }

    /// The cause, with the client's error message on a development server.
    private func explained(_ reason: String, _ cause: Cause, _ now: Timestamp?) -> String {
        let facts = Self.facts(cause, now)
        guard hasValues, !reason.isEmpty else { return facts }
        return cause.isBesideReason ? "\(reason): \(facts)" : reason
    }

    private static func facts(_ cause: Cause, _ now: Timestamp?) -> String {
        guard case .conflict(let check) = cause, let now, let changed = check.changed else { return cause.text }
        return check.tagText + " \(Age.text(now - changed)) ago"
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let microseconds = duration.wholeMicroseconds
        return microseconds < 950 ? "<1 ms" : "\((microseconds + 500) / 1000) ms"
    }
}

extension Cause {
    /// True if the cause adds facts to the client's error message.
    fileprivate var isBesideReason: Bool {
        switch self {
        case .conflict, .permission, .credentials, .share, .index, .limit: true
        case .input, .address, .place, .schema, .missing, .taken, .reference, .position, .atomic, .server: false
        }
    }
}

/// A rounded age.
package enum Age {
    package static func text(_ age: Duration) -> String {
        let seconds = max(0, age.components.seconds)
        switch seconds {
        case ..<120: return "\(seconds) s"
        case ..<7200: return "\(seconds / 60) min"
        case ..<172_800: return "\(seconds / 3600) h"
        default: return "\(seconds / 86400) days"
        }
    }
}

package import CloudModel
import Synchronization

/// Query counts of the last seven days: uses of each index mark, and queries that production refused, or would refuse,
/// for a missing mark.
///
/// In memory, since the server's start. State: daily counts, under one lock.
package final class IndexUsage: Sendable {
    /// A field's index mark in one environment.
    private struct Subject: Hashable {
        let container: String
        let environment: ContainerEnvironment
        let type: String
        let mark: UsedMark
    }

    private struct State {
        var used: WeekCounts<Subject>
        var missed: WeekCounts<Subject>
    }

    private let state: Mutex<State>

    /// - Parameter capacity: limit on counted marks, separately for used and missing marks.
    package init(capacity: Int = 10_000) {
        let none = WeekCounts<Subject>(capacity: capacity)
        state = Mutex(State(used: none, missed: none))
    }

    /// Counts queries of apps only, not queries of the console or the admin API.
    package func note(_ record: RequestRecord) {
        guard let container = record.container, let environment = record.environment, record.database != nil else {
            return
        }
        for step in record.steps {
            guard case .index(let type, _, let marks) = step, !marks.isEmpty else { continue }
            state.withLock { state in
                for mark in marks {
                    let subject = Subject(container: container, environment: environment, type: type, mark: mark)
                    state.used.add(subject, on: record.time)
                }
            }
        }
        guard let (type, mark) = record.missingMark else { return }
        let subject = Subject(container: container, environment: environment, type: type, mark: mark)
        state.withLock { $0.missed.add(subject, on: record.time) }
    }

    /// Query counts of the seven days up to `now`, by type and mark.
    package func uses(
        container: String, environment: ContainerEnvironment, until now: Timestamp
    ) -> [String: [UsedMark: Int]] {
        var uses: [String: [UsedMark: Int]] = [:]
        for (subject, count) in state.withLock({ $0.used }).totals(until: now)
        where subject.container == container && subject.environment == environment {
            uses[subject.type, default: [:]][subject.mark] = count
        }
        return uses
    }

    /// Missing marks of a container, most frequent first.
    package func missed(container: String, until now: Timestamp) -> [MissedMark] {
        state.withLock { $0.missed }.totals(until: now).filter { $0.key.container == container }.map { subject, count in
            MissedMark(type: subject.type, mark: subject.mark, environment: subject.environment, count: count)
        }.filter { $0.count > 0 }.sorted { ($1.count, $0.mark.field) < ($0.count, $1.mark.field) }
    }
}

/// A mark that the schema lacks, with the number of affected queries.
package struct MissedMark: Hashable {
    package let type: String
    package let mark: UsedMark
    /// Production, which refused the queries, or development, which answered them.
    package let environment: ContainerEnvironment
    package let count: Int
}

/// Daily counts of seven days.
struct WeekCount: Hashable {
    private static let days: Int64 = 7
    private var counts = [UInt32](repeating: 0, count: Int(Self.days))
    /// The latest counted day, in days since 1970.
    private var last: Int64 = 0

    mutating func add(on time: Timestamp) {
        let day = Self.day(time)
        if day > last {
            // Resets the days without a count.
            for passed in max(last + 1, day - Self.days + 1)...day { counts[Self.place(passed)] = 0 }
            last = day
        }
        if day > last - Self.days { counts[Self.place(day)] &+= 1 }
    }

    /// The sum of the seven days up to `time`.
    func total(until time: Timestamp) -> Int {
        let first = max(Self.day(time), last) - Self.days + 1
        return first <= last ? (first...last).reduce(0) { $0 + Int(counts[Self.place($1)]) } : 0
    }

    private static func day(_ time: Timestamp) -> Int64 { time.milliseconds / 86_400_000 }

    private static func place(_ day: Int64) -> Int { Int(((day % days) + days) % days) }
}

extension RequestRecord {
    /// The type and index mark that production lacks for the request's query.
    fileprivate var missingMark: (type: String, mark: UsedMark)? {
        if case .index(let fault)? = refusal?.cause, let missing = fault.missingMark { return missing }
        return steps.lazy.compactMap { step in
            if case .refusedInProduction(let fault) = step { fault.missingMark } else { nil }
        }.first
    }
}

extension IndexFault {
    /// Nil if no index mark would fix the query.
    var missingMark: (type: String, mark: UsedMark)? {
        guard case .unmarked(let type, let named?, let kind) = self, let mark = IndexKind(rawValue: kind.uppercased())
        else { return nil }
        let field = SystemField(systemFieldName: named)?.rawValue ?? named
        // The schema cannot index these system fields.
        if let system = SystemField(schemaName: field), ImplicitField(system) == nil { return nil }
        return (type, UsedMark(field: field, mark: mark))
    }
}

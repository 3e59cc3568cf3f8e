import CloudHTTP
import CloudModel

/// Recent queries with the same shape, and their cost.
struct QueryShape {
    struct Key: Hashable {
        let container: String?
        let environment: ContainerEnvironment?
        /// The path after the database.
        let path: String
        let type: String
        /// The leading index; nil for a scan of the type.
        let index: String?
    }

    let key: Key
    private(set) var count = 0
    private(set) var slowest: RequestRecord
    private var rowsRead = 0
    private var rowsAnswered = 0
    private var durations: [Duration] = []

    /// The mean rows read and answered per query.
    var meanRowsRead: Int { rowsRead / max(count, 1) }
    var meanRowsAnswered: Int { rowsAnswered / max(count, 1) }
    var median: Duration { durations.sorted()[durations.count / 2] }

    private init(_ key: Key, first: RequestRecord) {
        self.key = key
        slowest = first
    }

    private mutating func add(_ record: RequestRecord) {
        count += 1
        rowsRead += record.cost.rowsRead
        rowsAnswered += record.cost.rowsAnswered
        durations.append(record.duration)
        if record.duration > slowest.duration { slowest = record }
    }

    /// Groups records into query shapes in a single pass, slowest shape first.
    static func group(_ records: [RequestRecord]) -> [QueryShape] {
        var shapes: [Key: QueryShape] = [:]
        for record in records {
            guard let key = record.shape else { continue }
            shapes[key, default: QueryShape(key, first: record)].add(record)
        }
        return shapes.values.sorted { $0.slowest.duration > $1.slowest.duration }
    }
}

extension RequestRecord {
    /// The shape of the query; nil for other requests.
    fileprivate var shape: QueryShape.Key? {
        for case .index(let type, let index, _) in steps {
            return QueryShape.Key(
                container: container, environment: environment, path: path, type: type, index: index)
        }
        return nil
    }
}

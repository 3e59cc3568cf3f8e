/// Statements that wait on one connection, and the savepoints that are begun only once something is written in them.
struct DeferredStatements {
    private struct Waiting {
        let statement: DeferredStatement
        let values: [SQLValue]
        let key: DeferredKey?
    }

    private struct Savepoint {
        let name: String
        /// The number of statements that waited when it began; those after belong to it.
        var start: Int
        var isBegun = false
    }

    private static let mostWaiting = 2_000
    /// Bytes of text and blobs.
    private static let mostBytes = 4 << 20

    private var waiting: [Waiting] = []
    private var bytes = 0
    private var keys: Set<DeferredKey> = []
    private var savepoints: [Savepoint] = []
    /// Statements that ever waited.
    private(set) var count = 0
    /// The reason why waiting statements could not be written, and the number of savepoints around those. Whoever gave
    /// them has gone on as if they were written, so nothing goes on until the innermost of those savepoints is undone.
    private var failure: (savepoints: Int, error: any Error)?

    /// The reason why the whole transaction cannot go on.
    var ended: (any Error)? { failure.flatMap { $0.savepoints == 0 ? $0.error : nil } }

    func has(_ key: DeferredKey) -> Bool { keys.contains(key) }

    mutating func add(_ statement: DeferredStatement, _ values: [SQLValue], key: DeferredKey?) {
        waiting.append(Waiting(statement: statement, values: values, key: key))
        if let key { keys.insert(key) }
        for value in values { bytes += value.size }
        count += 1
    }

    /// True if the waiting statements take so much memory that they must be written.
    var isFull: Bool { waiting.count >= Self.mostWaiting || bytes >= Self.mostBytes }

    // MARK: Savepoints

    mutating func begin(_ name: String) { savepoints.append(Savepoint(name: name, start: waiting.count)) }

    /// Undoes what the innermost savepoint has had; it stays open.
    mutating func undo(on driver: any SQLDriver) throws {
        if let failure, failure.savepoints < savepoints.count { throw failure.error }
        failure = nil
        guard let savepoint = savepoints.last else { return }
        if savepoint.isBegun {
            // All that waits came after it was begun.
            removeAll()
            try driver.run("ROLLBACK TO \(savepoint.name)")
        } else if waiting.count > savepoint.start {
            waiting.removeSubrange(savepoint.start...)
            keys = Set(waiting.compactMap(\.key))
        }
    }

    /// Ends the innermost savepoint; what it has had stays.
    mutating func end(on driver: any SQLDriver) throws {
        if let failure { throw failure.error }
        guard let savepoint = savepoints.popLast(), savepoint.isBegun else { return }
        try driver.run("RELEASE \(savepoint.name)")
    }

    /// Forgets everything: the transaction has ended.
    mutating func reset() {
        removeAll()
        savepoints.removeAll()
        failure = nil
    }

    // MARK: Writing

    /// Writes what waits.
    ///
    /// - Parameter isForWriting: whether what comes next writes too, so that savepoints must be begun for it.
    /// - Throws: what the database has against it, now and until what gave it is undone.
    mutating func write(on driver: any SQLDriver, isForWriting: Bool) throws {
        if let failure { throw failure.error }
        if waiting.isEmpty && !(isForWriting && savepoints.last?.isBegun == false) { return }
        var depth = savepoints.count { $0.isBegun }
        do {
            var start = 0
            for index in savepoints.indices where !savepoints[index].isBegun {
                let end = savepoints[index].start
                try Self.write(waiting[start..<end], on: driver)
                start = end
                if start == waiting.count && !isForWriting { break }
                try driver.run("SAVEPOINT \(savepoints[index].name)")
                savepoints[index].isBegun = true
                depth = index + 1
            }
            try Self.write(waiting[start...], on: driver)
            for index in savepoints.indices { savepoints[index].start = 0 }
            removeAll()
        } catch {
            removeAll()
            failure = (depth, error)
            throw error
        }
    }

    private mutating func removeAll() {
        if !waiting.isEmpty { waiting.removeAll(keepingCapacity: true) }
        if !keys.isEmpty { keys.removeAll(keepingCapacity: true) }
        bytes = 0
    }

    private static func write(_ statements: ArraySlice<Waiting>, on driver: any SQLDriver) throws {
        guard let first = statements.first else { return }
        var kinds: [DeferredRows] = []
        kinds.reserveCapacity(8)
        var isSorted = true
        var last = first.statement.rank
        for waiting in statements {
            // There are a few kinds, whatever waits.
            if let place = kinds.lastIndex(where: { $0.statement === waiting.statement }) {
                kinds[place].rows.append(waiting.values)
                continue
            }
            kinds.append(DeferredRows(statement: waiting.statement, rows: [waiting.values]))
            isSorted = isSorted && waiting.statement.rank >= last
            last = waiting.statement.rank
        }
        // Sorting leaves those of one rank in their order.
        try driver.write(isSorted ? kinds : kinds.sorted { $0.statement.rank < $1.statement.rank })
    }
}

extension SQLValue {
    /// Bytes of a text or a blob.
    fileprivate var size: Int {
        switch self {
        case .null, .integer, .real: 0
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

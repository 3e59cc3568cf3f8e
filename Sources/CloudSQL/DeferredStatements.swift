/// The deferred statements of one connection, and savepoints that begin before their first write.
struct DeferredStatements {
    private struct Waiting {
        let statement: DeferredStatement
        let values: [SQLValue]
        let key: DeferredKey?
    }

    private struct Savepoint {
        let name: String
        /// The number of waiting statements at its beginning; later statements belong to the savepoint.
        var start: Int
        var isBegun = false
    }

    private static let mostWaiting = 2_000
    /// A limit on bytes of waiting text and blobs.
    private static let mostBytes = 4 << 20

    private var waiting: [Waiting] = []
    private var bytes = 0
    private var keys: Set<DeferredKey> = []
    private var savepoints: [Savepoint] = []
    /// The total of deferred statements so far.
    private(set) var count = 0
    /// The error of a failed batch, and the number of savepoints around it. Callers assume that deferred writes
    /// succeed, so every call fails until the innermost of those savepoints is undone.
    private var failure: (savepoints: Int, error: any Error)?

    /// The error that ended the whole transaction.
    var ended: (any Error)? { failure.flatMap { $0.savepoints == 0 ? $0.error : nil } }

    func has(_ key: DeferredKey) -> Bool { keys.contains(key) }

    mutating func add(_ statement: DeferredStatement, _ values: [SQLValue], key: DeferredKey?) {
        waiting.append(Waiting(statement: statement, values: values, key: key))
        if let key { keys.insert(key) }
        for value in values { bytes += value.size }
        count += 1
    }

    /// True if the waiting statements use so much memory that they must be written.
    var isFull: Bool { waiting.count >= Self.mostWaiting || bytes >= Self.mostBytes }

    // MARK: Savepoints

    mutating func begin(_ name: String) { savepoints.append(Savepoint(name: name, start: waiting.count)) }

    /// Undoes the writes of the innermost savepoint, which stays open.
    mutating func undo(on driver: any SQLDriver) throws {
        if let failure, failure.savepoints < savepoints.count { throw failure.error }
        failure = nil
        guard let savepoint = savepoints.last else { return }
        if savepoint.isBegun {
            // All waiting statements belong to the begun savepoint.
            removeAll()
            try driver.run("ROLLBACK TO \(savepoint.name)")
        } else if waiting.count > savepoint.start {
            waiting.removeSubrange(savepoint.start...)
            keys = Set(waiting.compactMap(\.key))
        }
    }

    /// Releases the innermost savepoint and keeps its writes.
    mutating func end(on driver: any SQLDriver) throws {
        if let failure { throw failure.error }
        guard let savepoint = savepoints.popLast(), savepoint.isBegun else { return }
        try driver.run("RELEASE \(savepoint.name)")
    }

    /// Clears the state at the end of a transaction.
    mutating func reset() {
        removeAll()
        savepoints.removeAll()
        failure = nil
    }

    // MARK: Writing

    /// Writes the waiting statements.
    ///
    /// - Parameter isForWriting: whether the next statement writes, so that pending savepoints must begin first.
    /// - Throws: the batch's error, now and until the failed savepoint is undone.
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
            // Linear search: a batch has few kinds of statement.
            if let place = kinds.lastIndex(where: { $0.statement === waiting.statement }) {
                kinds[place].rows.append(waiting.values)
                continue
            }
            kinds.append(DeferredRows(statement: waiting.statement, rows: [waiting.values]))
            isSorted = isSorted && waiting.statement.rank >= last
            last = waiting.statement.rank
        }
        // A stable sort keeps the order within one rank.
        try driver.write(isSorted ? kinds : kinds.sorted { $0.statement.rank < $1.statement.rank })
    }
}

extension SQLValue {
    /// The bytes of a text or blob.
    fileprivate var size: Int {
        switch self {
        case .null, .integer, .real: 0
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}

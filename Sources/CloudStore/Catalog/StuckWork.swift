import CloudSQL

/// Background work that fails repeatedly in one place, for example on a damaged record or file.
struct StuckWork: Error, CustomStringConvertible {
    /// Identifies work to skip while other work continues.
    enum Item: Hashable, Sendable {
        case build(type: Int64)
        case removal(type: Int64)
        case cascade(Int64)
        case droppedZone(Int64)
    }

    let item: Item
    /// The failed task, in words.
    let what: String
    let error: any Error

    var description: String { "\(what): \(error)" }

    /// Runs one piece of work.
    ///
    /// - Throws: ``StuckWork``; general errors, such as a full disk, unchanged.
    static func attempt(_ item: Item, _ what: @autoclosure () -> String, _ body: () throws -> Void) throws {
        do { try body() } catch {
            if error is CancellationError || isOfAll(error) { throw error }
            throw StuckWork(item: item, what: what(), error: error)
        }
    }

    private static func isOfAll(_ error: any Error) -> Bool {
        switch (error as? SQLError)?.kind {
        case .full, .unusable, .readOnly, .busy, .interrupted, .aborted, .gone: true
        case .constraint, .damaged, .other, nil: false
        }
    }
}

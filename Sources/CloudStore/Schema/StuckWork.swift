import CloudSQL

/// Work in the background that fails at the same place each time: a record's body is damaged, or the file is.
struct StuckWork: Error, CustomStringConvertible {
    /// The part of the work that is left alone, so that the rest goes on.
    enum Place: Hashable, Sendable {
        case build(type: Int64)
        case removal(type: Int64)
        case cascade(Int64)
        case droppedZone(Int64)
    }

    let place: Place
    /// What cannot be done.
    let what: String
    let error: any Error

    var description: String { "\(what): \(error)" }

    /// Runs a piece of work at a place.
    ///
    /// - Throws: ``StuckWork``; errors that do not come from the place, such as a full disk, as they are.
    static func attempt(_ place: Place, _ what: @autoclosure () -> String, _ body: () throws -> Void) throws {
        do { try body() } catch {
            if error is CancellationError || isOfAll(error) { throw error }
            throw StuckWork(place: place, what: what(), error: error)
        }
    }

    private static func isOfAll(_ error: any Error) -> Bool {
        switch (error as? SQLError)?.kind {
        case .full, .unusable, .readOnly, .busy, .interrupted, .aborted, .gone: true
        case .constraint, .damaged, .other, nil: false
        }
    }
}

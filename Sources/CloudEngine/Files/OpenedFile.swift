package import CloudModel
package import CloudSQL
import Foundation
import Synchronization

/// Monitors the database file of an open store for replacement, loss and disk errors.
package final class OpenedFile: Sendable {
    package let path: String
    /// The environment's display name, such as "production of iCloud.com.example.app".
    private let place: String
    private let locations: any DatabaseLocations
    private let identity: DatabaseFacts
    private let onFault: @Sendable (StoreFault) -> Void
    private let isFaulty = Atomic(false)
    /// True if log checkpoints fail; commits do not report that.
    private let isLogFaulty = Atomic(false)
    private let noted = Mutex<StoreFault?>(nil)

    /// - Parameter onFault: called once per fault, and again if the fault recurs after recovery.
    package init(
        path: String, locations: any DatabaseLocations, place: String,
        onFault: @escaping @Sendable (StoreFault) -> Void
    ) throws {
        guard let identity = try locations.facts(of: path) else { throw StoreFault.missing }
        self.path = path
        self.locations = locations
        self.place = place
        self.identity = identity
        self.onFault = onFault
    }

    /// The log size in bytes.
    package var logBytes: Int64 { locations.logBytes(of: path) }

    /// The file's current fault; nil when healthy.
    package var fault: StoreFault? {
        if let loss = absence { note(loss) } else { forgetLoss() }
        return isFaulty.load(ordering: .relaxed) ? noted.withLock { $0 } : nil
    }

    /// Nil while the path leads to the open file. Costs one `stat`, about a microsecond.
    private var absence: StoreFault? {
        do {
            guard let now = try locations.facts(of: path) else { return .missing }
            return now == identity ? nil : .replaced
        } catch {
            // An unreachable database server is reported by the next statement.
            return nil
        }
    }

    /// Called before the store is used; costs one atomic load for a healthy file.
    ///
    /// - Throws: `TRY_AGAIN_LATER` while the path leads to no file or another file.
    package func refuseIfLost() throws {
        guard isFaulty.load(ordering: .relaxed) else { return }
        try checkPlace()
        forgetLoss()
    }

    private func forgetLoss() {
        guard isFaulty.load(ordering: .relaxed) else { return }
        noted.withLock { noted in
            guard noted?.isLoss == true else { return }
            noted = nil
            isFaulty.store(false, ordering: .relaxed)
        }
    }

    /// Called before a commit, because a commit to an unlinked or replaced file would be lost.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when the path leads to no file or another file.
    package func checkPlace() throws {
        guard let absence else { return }
        note(absence)
        throw refusal(of: absence)
    }

    /// Called after a commit; clears disk faults.
    package func succeeded() {
        guard isFaulty.load(ordering: .relaxed), !isLogFaulty.load(ordering: .relaxed) else { return }
        noted.withLock { noted in
            guard noted?.kind == .diskFull || noted?.kind == .unusable else { return }
            noted = nil
            isFaulty.store(false, ordering: .relaxed)
        }
    }

    /// Called with each checkpoint error, and with nil after a successful checkpoint.
    package func noteLog(_ error: SQLError?) {
        isLogFaulty.store(error != nil, ordering: .relaxed)
        if let error { _ = passing(error) } else { succeeded() }
    }

    /// Reports a fault that leaves the file usable.
    package func tell(_ fault: StoreFault) { onFault(fault) }

    /// Notes a fault of disk or file and returns the caller's error; passes other errors unchanged.
    package func passing(_ error: any Error) -> any Error {
        guard let fault = StoreFault(error) else { return error }
        note(fault)
        return refusal(of: fault)
    }

    package func refusal(of fault: StoreFault) -> ServerError {
        ServerError(
            .tryAgainLater, "\(known: place) \(known: fault.reason)", .server(.disk),
            retryAfter: fault.kind == .diskFull ? 5 : 60)
    }

    private func note(_ fault: StoreFault) {
        let isNew = noted.withLock { noted in
            // A lost file outranks the errors that follow from the loss.
            if noted == fault || noted?.isLoss == true { return false }
            noted = fault
            isFaulty.store(true, ordering: .relaxed)
            return true
        }
        if isNew { onFault(fault) }
    }
}

/// The identity of a file, independent of its path.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// The size in bytes; not part of the identity.
    package let size: Int64

    /// Nil if the path leads to no file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
    }

    package static func == (first: FileIdentity, second: FileIdentity) -> Bool {
        first.device == second.device && first.inode == second.inode
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(device)
        hasher.combine(inode)
    }
}

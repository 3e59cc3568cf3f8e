import CloudModel
import CloudSQL
import Foundation
import Synchronization

/// The database file that a store has open, watched for what other programs and the disk do to it.
final class OpenedFile: Sendable {
    let path: String
    /// Such as "production of iCloud.com.example.app".
    private let place: String
    private let engine: any StoreEngine
    private let identity: DatabaseFacts
    private let onFault: @Sendable (StoreFault) -> Void
    private let isFaulty = Atomic(false)
    /// True if the log cannot be copied back into the file, which commits do not report.
    private let isLogFaulty = Atomic(false)
    private let noted = Mutex<StoreFault?>(nil)

    /// - Parameter onFault: called with each fault once, until it has passed.
    init(
        path: String, engine: any StoreEngine, place: String, onFault: @escaping @Sendable (StoreFault) -> Void
    ) throws {
        guard let identity = try engine.facts(of: path) else { throw StoreFault.missing }
        self.path = path
        self.engine = engine
        self.place = place
        self.identity = identity
        self.onFault = onFault
    }

    /// Bytes of its log.
    var logBytes: Int64 { engine.logBytes(of: path) }

    /// The fault of the file as of now; nil when it has none.
    var fault: StoreFault? {
        if let loss = absence { note(loss) } else { forgetLoss() }
        return isFaulty.load(ordering: .relaxed) ? noted.withLock { $0 } : nil
    }

    /// Nil while the path leads to the file that is open. One look at the folder, a microsecond.
    private var absence: StoreFault? {
        do {
            guard let now = try engine.facts(of: path) else { return .missing }
            return now == identity ? nil : .replaced
        } catch {
            // An engine that does not answer says so where a statement needs it.
            return nil
        }
    }

    /// To be called before the store is used; costs nothing while all is well.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when the path was found to lead elsewhere, and still does.
    func refuseIfLost() throws {
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

    /// To be called before a commit, which would go to a file that nobody finds again.
    ///
    /// - Throws: `TRY_AGAIN_LATER` when the path leads elsewhere.
    func checkPlace() throws {
        guard let absence else { return }
        note(absence)
        throw refusal(of: absence)
    }

    /// To be called after a commit: what was wrong with the disk has passed.
    func succeeded() {
        guard isFaulty.load(ordering: .relaxed), !isLogFaulty.load(ordering: .relaxed) else { return }
        noted.withLock { noted in
            guard noted?.kind == .diskFull || noted?.kind == .unusable else { return }
            noted = nil
            isFaulty.store(false, ordering: .relaxed)
        }
    }

    /// To be called with what keeps the log from being brought back into the file, and with nil once nothing does.
    func noteLog(_ error: SQLError?) {
        isLogFaulty.store(error != nil, ordering: .relaxed)
        if let error { _ = passing(error) } else { succeeded() }
    }

    /// Tells a fault that leaves the file usable.
    func tell(_ fault: StoreFault) { onFault(fault) }

    /// The error for a caller when the disk or the file is at fault, which is noted; any other error as it is.
    func passing(_ error: any Error) -> any Error {
        guard let fault = StoreFault(error) else { return error }
        note(fault)
        return refusal(of: fault)
    }

    func refusal(of fault: StoreFault) -> ServerError {
        ServerError(
            .tryAgainLater, "\(known: place) \(known: fault.reason)", .server(.disk),
            retryAfter: fault.kind == .diskFull ? 5 : 60)
    }

    private func note(_ fault: StoreFault) {
        let isNew = noted.withLock { noted in
            // A file that has gone is worse than anything that follows from it.
            if noted == fault || noted?.isLoss == true { return false }
            noted = fault
            isFaulty.store(true, ordering: .relaxed)
            return true
        }
        if isNew { onFault(fault) }
    }
}

/// The identity of the file that a path leads to, whatever its name.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// Bytes; no part of which file it is.
    package let size: Int64

    /// Nil when there is nothing at the path.
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

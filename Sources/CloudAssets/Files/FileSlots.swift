import CloudModel
import Synchronization

/// Limits the number of open asset files, to reserve descriptors for databases and connections.
package final class FileSlots: Sendable {
    private let most: Int
    private let taken = Mutex(0)

    package init(most: Int = .max) { self.most = most }

    /// Takes a slot; releasing the last reference returns it.
    ///
    /// - Throws: `TRY_AGAIN_LATER` if no slot is free.
    func take() throws(ServerError) -> FileSlot {
        let isFree = taken.withLock { taken in
            guard taken < most else { return false }
            taken += 1
            return true
        }
        guard isFree else {
            throw ServerError(
                .tryAgainLater, "\(most) files are being transferred, as many as there are descriptors for",
                .limit(most),
                retryAfter: 1)
        }
        return FileSlot { [self] in taken.withLock { $0 -= 1 } }
    }
}

/// The right to hold a file open.
final class FileSlot: Sendable {
    private let giveBack: @Sendable () -> Void

    fileprivate init(_ giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }

    deinit { giveBack() }
}

import CloudModel
import Synchronization

/// Periodic work in every environment.
package enum Chore: Hashable, Sendable {
    case expiredPages
    case expiredTokens
    case publishedNames
}

/// The time of each environment's next chore, so that unused environments stay closed.
final class ChoreCalendar: Sendable {
    private struct Page {
        /// The number of times the environment was opened for other work, which may have changed its chores.
        var uses = 0
        var lastUse: ContinuousClock.Instant?
        var next: [Chore: Timestamp] = [:]
    }

    private static let longestUse = Duration.seconds(300)
    private let pages = Mutex<[OpenStores.Key: Page]>([:])

    /// Called when an environment is handed out.
    func forget(_ key: OpenStores.Key) {
        pages.withLock { pages in
            guard let index = pages.index(forKey: key) else { return }
            pages.values[index].uses += 1
            pages.values[index].lastUse = .now
            if !pages.values[index].next.isEmpty { pages.values[index].next.removeAll() }
        }
    }

    func isDue(_ chore: Chore, _ key: OpenStores.Key, now: Timestamp) -> Bool {
        pages.withLock { $0[key]?.next[chore] ?? .min } <= now
    }

    /// - Returns: a use count for ``end(_:_:next:since:)``.
    func begin(_ key: OpenStores.Key) -> Int {
        pages.withLock { pages in
            let page = pages[key] ?? Page()
            pages[key] = page
            return page.uses
        }
    }

    /// Notes the chore's next time, unless the environment was used during the chore, or so recently that a caller may
    /// still be using it.
    func end(_ chore: Chore, _ key: OpenStores.Key, next: Timestamp, since uses: Int) {
        pages.withLock { pages in
            guard pages[key]?.uses == uses else { return }
            if let last = pages[key]?.lastUse, last.duration(to: .now) < Self.longestUse { return }
            pages[key]?.next[chore] = next
        }
    }
}

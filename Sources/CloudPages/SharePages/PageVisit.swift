import CloudModel
import Synchronization

/// A page during a download, reopened once per second instead of once per file. A closed page thus ends running
/// downloads, and thousands of small files do not reopen it thousands of times.
final class PageVisit: Sendable {
    private let state: Mutex<(page: SharedPage, opened: Timestamp)>
    private let now: Now
    private let open: @Sendable () async throws -> SharedPage

    private static let lifetime = Duration.seconds(1)

    /// - Parameters:
    ///   - page: the page, just opened.
    ///   - open: reopens the page; throws if it is closed.
    init(
        _ page: SharedPage, now: @escaping Now,
        open: @escaping @Sendable () async throws -> SharedPage
    ) {
        state = Mutex((page, now()))
        self.now = now
        self.open = open
    }

    /// The page, at most a second old.
    func page() async throws -> SharedPage {
        let (page, opened) = state.withLock(\.self)
        let now = now()
        if (.zero..<Self.lifetime).contains(now - opened) { return page }
        let current = try await open()
        state.withLock { $0 = (current, now) }
        return current
    }
}

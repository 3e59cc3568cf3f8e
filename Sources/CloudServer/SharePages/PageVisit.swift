import CloudModel
import Synchronization

/// A page that is open while many of its files are read: it is opened anew once a second rather than for each file, so
/// that closing it ends what is going on, and a download of thousands of small files does not open it thousands of times.
final class PageVisit: Sendable {
    private let state: Mutex<(page: SharedPage, opened: Timestamp)>
    private let now: Now
    private let open: @Sendable () async throws -> SharedPage

    private static let lifetime = Duration.seconds(1)

    /// - Parameters:
    ///   - page: as it was opened just now.
    ///   - open: opens it anew; throws when it is not to be seen any more.
    init(
        _ page: SharedPage, now: @escaping Now,
        open: @escaping @Sendable () async throws -> SharedPage
    ) {
        state = Mutex((page, now()))
        self.now = now
        self.open = open
    }

    /// The page as it is now, or was a second ago.
    func page() async throws -> SharedPage {
        let (page, opened) = state.withLock(\.self)
        let now = now()
        if (.zero..<Self.lifetime).contains(now - opened) { return page }
        let current = try await open()
        state.withLock { $0 = (current, now) }
        return current
    }
}

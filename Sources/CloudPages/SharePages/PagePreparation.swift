import CloudEngine
import CloudModel
import Synchronization

/// Turns for preparing pages: one picture at a time, and owners one after the other.
///
/// A page that changes while it is prepared is prepared again.
final class PagePreparation: Sendable {
    struct Key: Hashable, Sendable {
        let container: Int64
        let environment: ContainerEnvironment
        let page: ChangedPages.Page
    }

    /// The most pages that are prepared or wait, of one owner and of all.
    static let (mostOfOwner, most) = (50, 1000)

    private struct State {
        /// True for a page that changed since its preparation began.
        var pages: [Key: Bool] = [:]
        var counts: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let turns = FairSemaphore(places: 1, mostWaiting: PagePreparation.mostOfOwner) { count in
        ServerError(
            .throttled, "\(count) pages of this owner wait to be prepared", .limit(PagePreparation.mostOfOwner))
    }

    /// The number of pages that are prepared or wait.
    var count: Int { state.withLock { $0.pages.count } }

    /// Notes a change of a page.
    ///
    /// - Returns: true if the caller has to ``run(_:of:_:)`` the preparation.
    func begins(_ key: Key, of owner: String) -> Bool {
        state.withLock { state in
            if state.pages[key] != nil {
                state.pages[key] = true
                return false
            }
            guard state.pages.count < Self.most, state.counts[owner, default: 0] < Self.mostOfOwner else {
                return false
            }
            state.pages[key] = false
            state.counts[owner, default: 0] += 1
            return true
        }
    }

    /// Prepares a page until it no longer changes.
    ///
    /// - Parameter body: prepares it once; it gives up its turn after each picture.
    func run(_ key: Key, of owner: String, _ body: (_ turn: Turn) async throws -> Void) async {
        let turn = Turn(turns: turns, owner: owner)
        repeat {
            state.withLock { $0.pages[key] = false }
            // What is not prepared is made when somebody asks for it.
            try? await body(turn)
        } while !Task.isCancelled && !ends(key, of: owner)
    }

    private func ends(_ key: Key, of owner: String) -> Bool {
        state.withLock { state in
            guard state.pages[key] == false else { return false }
            state.pages[key] = nil
            let left = state.counts[owner, default: 1] - 1
            state.counts[owner] = left > 0 ? left : nil
            return true
        }
    }

    /// The turns of an owner.
    struct Turn: Sendable {
        fileprivate let turns: FairSemaphore
        fileprivate let owner: String

        func callAsFunction<T: Sendable>(_ body: () async throws -> T) async throws -> T {
            try await turns.run(for: owner, body)
        }
    }
}

package import CloudAccounts
package import CloudModel
import CloudSQL

/// A change after which a page may show other pictures.
package enum PageChange: Hashable, Sendable {
    /// A new share, by its row.
    case share(Int64)
    /// A record with files outside the public database, by its row.
    case record(Int64)
    /// A public record with files or with a page, by its name.
    case published(String)
    /// Settings of a page, by its ID.
    case settings(String)
}

/// Commits of this server that pages may show, for one listener.
///
/// Nobody waits for them: those that the listener has no time for are dropped.
package final class PageNews: Sendable {
    /// The changes of a commit.
    package struct Entry: Sendable {
        package let container: Container
        package let environment: ContainerEnvironment
        package let changes: [PageChange]
    }

    /// The most commits that wait for the listener.
    private static let most = 100

    package let entries: AsyncStream<Entry>
    private let continuation: AsyncStream<Entry>.Continuation

    init() {
        (entries, continuation) = AsyncStream.makeStream(of: Entry.self, bufferingPolicy: .bufferingOldest(Self.most))
    }

    func tell(_ changes: [PageChange], _ container: Container, _ environment: ContainerEnvironment) {
        continuation.yield(Entry(container: container, environment: environment, changes: changes))
    }
}

/// Collects the changes of a group of requests.
final class PageNewsPart: TransactionPart {
    /// The most changes of a group that are told.
    private static let most = 1000

    private let tell: @Sendable ([PageChange]) -> Void
    private var changes: [PageChange] = []
    private var count = Undoable(0)

    /// - Parameter tell: called after a commit with its changes.
    init(_ tell: @escaping @Sendable ([PageChange]) -> Void) { self.tell = tell }

    func add(_ change: PageChange) {
        guard changes.count < Self.most else { return }
        changes.append(change)
        count.now = changes.count
    }

    func begin() { count.begin() }
    func keep() { count.keep() }

    func undo() {
        count.undo()
        changes.removeLast(changes.count - count.now)
    }

    func committed() {
        if !changes.isEmpty { tell(changes) }
        changes.removeAll()
        count.now = 0
    }

    func lost(_ db: SQLConnection) {
        changes.removeAll()
        count.reset(to: 0)
    }
}

extension WriteTransaction {
    /// Notes a change that pages may show.
    func tellPages(_ change: PageChange) { part(PageNewsPart.self).add(change) }
}

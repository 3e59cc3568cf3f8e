import CloudModel
import CloudSQL

/// The names of new public records that have a page rule, which are noted in the accounts before the commit.
final class PublishedNamePart: TransactionPart {
    private let index: PublishedNames?
    /// Of this group; nil until a public record is made.
    private var types: Set<String>?
    private var names: [String] = []
    private var count = Undoable(0)

    /// - Parameter index: nil where nothing is noted.
    init(_ index: PublishedNames?) { self.index = index }

    /// A public record has been made.
    func add(_ name: String, type: String) throws {
        guard let index else { return }
        let paged = try types ?? index.types()
        types = paged
        guard paged.contains(type) else { return }
        names.append(name)
        count.now = names.count
    }

    func beginGroup() { types = nil }
    func begin() { count.begin() }
    func keep() { count.keep() }

    func undo() {
        count.undo()
        names.removeLast(names.count - count.now)
    }

    func flush(_ db: SQLConnection) throws {
        if !names.isEmpty { try index?.note(names) }
    }

    func committed() {
        names.removeAll()
        count.now = 0
    }

    func lost(_ db: SQLConnection) {
        names.removeAll()
        count.reset(to: 0)
    }
}

extension WriteTransaction {
    /// Notes the name of a new public record if its type has a page rule.
    func notePublic(_ name: String, type: String) throws { try part(PublishedNamePart.self).add(name, type: type) }
}

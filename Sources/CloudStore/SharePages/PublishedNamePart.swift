import CloudAccounts
import CloudModel
import CloudSQL

/// Names of new public records with a page rule, noted in the accounts file before the commit.
final class PublishedNamePart: TransactionPart {
    private let index: PublishedNames?
    /// Record types with a page rule, read once per group; nil until its first public record.
    private var types: Set<String>?
    private var names: [String] = []
    private var count = Undoable(0)

    /// - Parameter index: nil for a store without an index.
    init(_ index: PublishedNames?) { self.index = index }

    /// Adds a new public record.
    ///
    /// - Returns: true if its type has a page rule.
    func add(_ name: String, type: String) throws -> Bool {
        guard let index else { return false }
        let paged = try types ?? index.types()
        types = paged
        guard paged.contains(type) else { return false }
        names.append(name)
        count.now = names.count
        return true
    }

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
        types = nil
        count.now = 0
    }

    func lost(_ db: SQLConnection) {
        names.removeAll()
        types = nil
        count.reset(to: 0)
    }
}

extension WriteTransaction {
    /// Adds the name of a new public record if its type has a page rule.
    func addPublished(_ name: String, type: String) throws {
        if try part(PublishedNamePart.self).add(name, type: type) { tellPages(.published(name)) }
    }
}

import CloudModel
import CloudSQL

/// The writer's cache of role numbers, and the users whose roles changed.
final class RolePart: TransactionPart {
    private let memory: RoleMemory
    private var numbers = BoundedCache<String, Set<Int64>>()
    /// Users whose roles have changed since the last commit.
    private var changed = Undoable<Set<String>>([])

    /// - Parameter memory: the readers' cache, which drops changed users after a commit.
    init(_ memory: RoleMemory) { self.memory = memory }

    /// The numbers of a user's custom roles.
    func numbers(of user: String, _ db: SQLConnection) throws -> Set<Int64> {
        if let known = numbers[user] { return known }
        let found = try UserRoles.numbers(of: user, db)
        numbers[user] = found
        return found
    }

    /// Called after a user's roles have been written.
    func change(of user: String) {
        numbers[user] = nil
        changed.now.insert(user)
    }

    /// Called when a schema change may have deleted users' records.
    func forgetAll() { numbers = BoundedCache() }

    func begin() { changed.begin() }

    func undo() {
        forgetAll()
        changed.undo()
    }

    func keep() { changed.keep() }

    func committed() {
        memory.forget(changed.now)
        changed.now.removeAll()
    }

    func lost(_ db: SQLConnection) {
        forgetAll()
        changed.reset(to: [])
    }
}

extension WriteTransaction {
    var roles: RolePart { part() }
}

import CloudEngine
import CloudModel
package import CloudSQL

extension UserAccount {
    /// The text by which operators find the account: its address, or its id without one.
    package var handle: String { email ?? idText }

    /// The account's id, as operators name it.
    package var idText: String { String(id) }

    package static func find(id: Int64, in db: SQLConnection) throws -> UserAccount? {
        try db.first("SELECT \(columns) FROM account WHERE id = ?", .integer(id), read: UserAccount.init(row:))
    }

    /// - Parameter name: an email address, or the id of an account, in digits.
    package static func find(named name: String, in db: SQLConnection) throws -> UserAccount? {
        if let id = id(name) { return try find(id: id, in: db) }
        return try find(email: name, in: db)
    }

    static func require(id: Int64, in db: SQLConnection) throws -> UserAccount {
        guard let account = try find(id: id, in: db) else {
            throw ServerError(.notFound, "the account is gone", .missing(.user))
        }
        return account
    }

    /// The account id in a name; nil for an address.
    static func id(_ name: String) -> Int64? {
        name.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(name) : nil
    }
}

extension UserAccounts {
    /// - Parameter name: an email address, or the id of an account, in digits.
    package func find(named name: String) async throws -> UserAccount? {
        try await database.pool.read { try UserAccount.find(named: name, in: $0) }
    }

    package func find(id: Int64) async throws -> UserAccount? {
        try await database.pool.read { try UserAccount.find(id: id, in: $0) }
    }
}

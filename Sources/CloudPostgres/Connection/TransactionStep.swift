/// Transaction control statements, which are never prepared.
enum TransactionStep {
    case begin(writes: Bool)
    case commit, rollBack
    case savepoint(String)

    init?(_ sql: String) {
        switch sql {
        case "BEGIN IMMEDIATE", "BEGIN": self = .begin(writes: true)
        case "BEGIN DEFERRED": self = .begin(writes: false)
        case "COMMIT": self = .commit
        case "ROLLBACK": self = .rollBack
        case let sql where ["SAVEPOINT ", "ROLLBACK TO ", "RELEASE "].contains(where: sql.hasPrefix):
            self = .savepoint(sql)
        default: return nil
        }
    }
}

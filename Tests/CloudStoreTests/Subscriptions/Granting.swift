import CloudModel
import CloudSQL
import TestStore

@testable import CloudStore

extension TemporaryStore {
    /// Sets who may do what with records of a type, as a store opened from now on sees it.
    func grant(_ permissions: [String: Set<Permission>], on type: String) throws {
        _ = try write {
            try $0.run(
                "UPDATE record_types SET grants = ? WHERE name = ?", .text(SchemaColumns.text(Grants(permissions))),
                .text(type))
        }
    }
}

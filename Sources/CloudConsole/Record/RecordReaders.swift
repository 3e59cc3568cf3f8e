import CloudPages
import CloudModel
import CloudOperations

/// A record's readers, with the reason for their access.
struct RecordReaders {
    let spot: DataSpot
    /// The grants of the record's type.
    let grants: Grants
    let share: ShareInfo?
    let names: KnownPeople

    var rows: [Row] {
        guard spot.user != nil else { return everybody }
        return [row("The owner of the database", names[spot.user ?? ""])] + members
    }

    /// The roles with READ permission for the type in the public database.
    private var everybody: [Row] {
        let readers = grants.permissions.filter { $0.value.contains(.read) }.sorted { $0.key < $1.key }
        guard !readers.isEmpty else { return [row("Operators alone", "no role is granted READ")] }
        return readers.map { role, permissions in
            let words = ["_world": "Everybody", "_icloud": "Whoever is signed in", "_creator": "Who made it"]
            let names = Permission.allCases.filter(permissions.contains).map { $0.rawValue.lowercased() }
            return row(words[role] ?? role, names.joined(separator: ", "))
        }
    }

    private var members: [Row] {
        guard let share else { return [] }
        let way = share.recordName == nil ? "share of the whole zone" : "share of \(share.recordName ?? "")"
        let people = share.participants.filter { $0.type != "OWNER" }.map {
            row(
                $0.email ?? $0.userRecordName ?? "Somebody invited",
                "\(words($0.permission)), \(words($0.status)), \(way)")
        }
        guard share.publicPermission != "NONE" else { return people }
        return people + [row("Whoever has the link", "\(words(share.publicPermission)), \(way)")]
    }

    private func words(_ name: String) -> String { name.lowercased().replacing("_", with: " ") }

    private func row(_ name: String, _ why: String) -> Row { Row(name: name, why: why) }

    struct Row: PageView {
        let name: String
        let why: String
    }
}

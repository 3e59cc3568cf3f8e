import CumulusKit
import Foundation

/// The family the play is about: its records and the batch that founds it.
enum Family {
    static let zone = CKRecordZone.ID(zoneName: "TribeBoardZone")
    static let id = CKRecord.ID(recordName: "family-lindqvist", zoneID: zone)
    static let code = "TRIBE-4711"

    struct Member {
        let name: String
        let role: String
        let status: String
        /// Days after the family was founded.
        let day: Int

        var profileName: String { "profile-\(name.lowercased())" }
        var membershipName: String { "membership-\(name.lowercased())" }

        var profile: CKRecord {
            record(
                "CKUserProfile", profileName,
                [
                    "displayName": name, "appleUserIdHash": "hash-\(name.lowercased())",
                    "createdAt": Family.day(day),
                ])
        }

        var membership: CKRecord {
            record(
                "CKMembership", membershipName,
                [
                    "role": role, "status": status, "joinedAt": Family.day(day), "lastRoleChangeAt": Family.day(day),
                    "family": CKRecord.Reference(recordID: Family.id, action: .deleteSelf),
                    "user": CKRecord.Reference(record: profile, action: .deleteSelf),
                ])
        }
    }

    static let members = [
        Member(name: "Clara", role: "kid", status: "active", day: 12),
        Member(name: "Anna", role: "parent_admin", status: "active", day: 0),
        Member(name: "Ben", role: "parent", status: "active", day: 3),
        Member(name: "David", role: "kid", status: "invited", day: 40),
    ]

    private static let founded = Date(timeIntervalSince1970: 1_709_283_600)

    private static func day(_ number: Int) -> Date { founded.addingTimeInterval(Double(number) * 86_400) }

    /// The records that make the family, its members' profiles and their memberships.
    static var founding: [CKRecord] {
        let family = record(
            "CKFamily", id.recordName,
            ["name": "The Lindqvists", "code": code, "createdByUserId": "hash-anna", "createdAt": founded])
        return [family] + members.map(\.profile) + members.map(\.membership)
    }

    static func record(
        _ type: CKRecord.RecordType, _ name: String, _ fields: [CKRecord.FieldKey: any CKRecordValueProtocol]
    ) -> CKRecord {
        CKRecord(type, name, in: zone, fields)
    }
}

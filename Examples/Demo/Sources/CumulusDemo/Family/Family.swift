import Foundation

/// The family the play is about: its records and the batch that founds it.
enum Family {
    static let zone: JSON = ["zoneName": "TribeBoardZone"]
    static let name = "family-lindqvist"
    static let code = "TRIBE-4711"

    struct Member {
        let name: String
        let role: String
        let status: String
        /// Days after the family was founded.
        let day: Int

        var profile: String { "profile-\(name.lowercased())" }
        var membership: String { "membership-\(name.lowercased())" }
    }

    static let members = [
        Member(name: "Clara", role: "kid", status: "active", day: 12),
        Member(name: "Anna", role: "parent_admin", status: "active", day: 0),
        Member(name: "Ben", role: "parent", status: "active", day: 3),
        Member(name: "David", role: "kid", status: "invited", day: 40),
    ]

    private static let founded = Date(timeIntervalSince1970: 1_709_283_600)

    static func day(_ number: Int) -> Date { founded.addingTimeInterval(Double(number) * 86_400) }

    /// The operations that make the family, its members' profiles and their memberships.
    static var founding: [JSON] {
        [creating("CKFamily", name, familyFields)]
            + members.map { creating("CKUserProfile", $0.profile, profileFields($0)) }
            + members.map(membership)
    }

    static func creating(_ type: String, _ recordName: String, _ fields: JSON) -> JSON {
        [
            "operationType": "create",
            "record": ["recordType": .string(type), "recordName": .string(recordName), "fields": fields],
        ]
    }

    static func updating(_ recordName: String, tag: String, _ fields: JSON) -> JSON {
        [
            "operationType": "update",
            "record": ["recordName": .string(recordName), "recordChangeTag": .string(tag), "fields": fields],
        ]
    }

    private static var familyFields: JSON {
        [
            "name": .field("The Lindqvists"), "code": .field(code), "createdByUserId": .field("hash-anna"),
            "createdAt": .field(founded),
        ]
    }

    static func profileFields(_ member: Member) -> JSON {
        [
            "displayName": .field(member.name), "appleUserIdHash": .field("hash-\(member.name.lowercased())"),
            "createdAt": .field(day(member.day)),
        ]
    }

    static func membership(_ member: Member) -> JSON {
        creating(
            "CKMembership", member.membership,
            [
                "role": .field(member.role), "status": .field(member.status), "joinedAt": .field(day(member.day)),
                "lastRoleChangeAt": .field(day(member.day)), "family": .field(belongsTo: name),
                "user": .field(belongsTo: member.profile),
            ])
    }
}

public import Foundation

/// A person's identity, as far as visible to this user.
public struct CKUserIdentity: Sendable, Hashable {
    /// A key for finding a person.
    public enum LookupInfo: Sendable, Hashable {
        case emailAddress(String)
        case phoneNumber(String)
        case userRecordID(CKRecord.ID)
    }

    public let userRecordID: CKRecord.ID?
    public let lookupInfo: LookupInfo?
    public let nameComponents: PersonNameComponents?

    /// Whether the person has an account on the server.
    public var hasiCloudAccount: Bool { userRecordID != nil }

    /// The known parts of the name: given name, then family name.
    public var name: String {
        [nameComponents?.givenName, nameComponents?.familyName].compactMap { $0 }.joined(separator: " ")
    }

    init(wire: JSON) {
        userRecordID = (wire["userRecordName"]?.string).map { CKRecord.ID(recordName: $0) }
        lookupInfo = wire["lookupInfo"].flatMap(LookupInfo.init(wire:))
        nameComponents = wire["nameComponents"]?.object.map { names in
            var components = PersonNameComponents()
            components.givenName = names["givenName"]?.string
            components.familyName = names["familyName"]?.string
            components.middleName = names["middleName"]?.string
            components.nickname = names["nickname"]?.string
            return components
        }
    }

    init(lookupInfo: LookupInfo) {
        self.lookupInfo = lookupInfo
        userRecordID = nil
        nameComponents = nil
    }
}

extension CKUserIdentity.LookupInfo {
    init?(wire: JSON) {
        if let email = wire["emailAddress"]?.string {
            self = .emailAddress(email)
        } else if let phone = wire["phoneNumber"]?.string {
            self = .phoneNumber(phone)
        } else if let name = wire["userRecordName"]?.string {
            self = .userRecordID(CKRecord.ID(recordName: name))
        } else {
            return nil
        }
    }

    var wire: JSON {
        switch self {
        case .emailAddress(let email): ["emailAddress": .string(email)]
        case .phoneNumber(let number): ["phoneNumber": .string(number)]
        case .userRecordID(let id): ["userRecordName": .string(id.recordName)]
        }
    }
}

extension CKContainer {
    /// The people with these addresses, in order; a person without an account has only lookup info.
    public func userIdentities(for lookupInfos: [CKUserIdentity.LookupInfo]) async throws -> [CKUserIdentity] {
        let answer = try await wire.post(
            "public/users/discover", ["lookupInfos": .array(lookupInfos.map(\.wire))]
        ).body
        return answer["users"]?.array?.map(CKUserIdentity.init(wire:)) ?? []
    }

    public func userIdentity(forUserRecordID id: CKRecord.ID) async throws -> CKUserIdentity? {
        try await userIdentities(for: [.userRecordID(id)]).first { $0.hasiCloudAccount }
    }

    /// A new participant, to be added to a share.
    public func shareParticipant(forEmailAddress email: String) async throws -> CKShare.Participant {
        let found = try await userIdentities(for: [.emailAddress(email)]).first
        return CKShare.Participant(found ?? CKUserIdentity(lookupInfo: .emailAddress(email)))
    }
}

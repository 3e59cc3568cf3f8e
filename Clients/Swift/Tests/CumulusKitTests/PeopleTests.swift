import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

@Suite(.cumulus, .timeLimit(.minutes(1)))
struct PeopleTests {
    @Test("A shared record is seen, changed and left by the person invited")
    func sharing() async throws {
        let owner = CumulusTest.container.privateCloudDatabase
        let guest = try await CumulusTest.device("guest", email: "ben@example.com")
        let zone = try await owner.save(CKRecordZone(zoneName: "Memories")).zoneID
        let root = CKRecord(recordType: "Grandchild", zoneID: zone)
        root["name"] = "Mia"
        let share = CKShare(rootRecord: root)
        share.title = "Mia"
        share.addParticipant(.init(emailAddress: "ben@example.com", permission: .readWrite))
        for result in try await owner.modifyRecords(saving: [root, share], deleting: []).saveResults.values {
            _ = try result.get()
        }
        let url = try #require(share.url)

        let metadata = try await guest.shareMetadata(for: url)
        #expect(metadata.participantStatus == .pending)
        #expect(metadata.share.title == "Mia")
        try await guest.accept(metadata)
        let shared = guest.sharedCloudDatabase
        let theirs = try #require(try await shared.allRecordZones().first?.zoneID)
        #expect(theirs.ownerName != CKCurrentUserDefaultName)
        let memory = CKRecord(recordType: "Memory", zoneID: theirs)
        memory["text"] = "First steps"
        memory.setParent(CKRecord.ID(recordName: root.recordID.recordName, zoneID: theirs))
        try await shared.save(memory)
        #expect(
            try await owner.record(for: .init(recordName: memory.recordID.recordName, zoneID: zone))["text"]
                == "First steps")

        let seen = try #require(try await owner.record(for: share.recordID) as? CKShare)
        let ben = try #require(seen.participants.first { $0.role != .owner })
        #expect(ben.acceptanceStatus == .accepted)
        seen.removeParticipant(ben)
        try await owner.save(seen)
        #expect(try await shared.allRecordZones().isEmpty)
    }

    @Test("Who is signed in, and who is not, is told")
    func accounts() async throws {
        let container = CumulusTest.container
        #expect(try await container.accountStatus() == .available)
        let id = try await container.userRecordID()
        #expect(id.recordName.hasPrefix("_"))
        try container.signOut()
        #expect(try await container.accountStatus() == .noAccount)
        #expect(try await container.signInURL()?.path == "/auth/signin")
        let callback = try #require(URL(string: "app://signed-in?ckWebAuthToken=nonsense"))
        try container.signIn(callback: callback)
        #expect(throws: CKError.self) { try container.signIn(callback: URL(filePath: "/")) }
    }

    @Test("Nothing that listens is told apart from a server that refuses")
    func nobodyThere() async throws {
        let away = try await CumulusTest.device("away", origin: "http://127.0.0.1:1", retries: .never)
        #expect(try await away.accountStatus() == .couldNotDetermine)
    }
}

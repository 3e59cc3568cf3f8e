import CumulusKit
import CumulusKitTesting
import Foundation
import ShoppingList
import Testing

/// Each test has a container of its own on one development server, whose clock they share: so one at a time.
@Suite(.serialized, .cumulus, .timeLimit(.minutes(2)))
struct ShoppingListTests {
    private let emulator = CumulusTest.emulator
    private let list = ShoppingList(CumulusTest.container)

    init() async throws {
        try await emulator.seed(
            """
            {"zone": "Shopping", "of": "mei@example.com"}
            {"record": {"recordType": "Item", "recordName": "milk", "fields": {"title": "Milk"}}, "zone": "Shopping", "of": "mei@example.com"}
            {"record": {"recordType": "Item", "recordName": "bread", "fields": {"title": "Bread"}}, "zone": "Shopping", "of": "mei@example.com"}
            """)
    }

    @Test func twoDevicesSeeEachOthersItems() async throws {
        let other = ShoppingList(try await CumulusTest.device("other"))
        try await list.add("Eggs")
        try await other.remove("Bread")
        #expect(try await list.refresh() == ["Eggs", "Milk"])
        #expect(try await other.refresh() == ["Eggs", "Milk"])
    }

    @Test func aThrottledSaveIsSentAgain() async throws {
        try await emulator.add(.init(route: "records/modify", nth: 1, error: "THROTTLED"))
        try await list.add("Eggs")
        #expect(try await list.refresh() == ["Bread", "Eggs", "Milk"])
    }

    @Test(arguments: [CumulusEmulator.Fault.HangUp.before, .after])
    func aConnectionThatIsLostLeavesTheItemThereOnce(hangUp: CumulusEmulator.Fault.HangUp) async throws {
        try await emulator.add(.init(route: "records/modify", nth: 1, hangUp: hangUp))
        try await list.add("Eggs")
        #expect(try await list.refresh() == ["Bread", "Eggs", "Milk"])
    }

    @Test func whatIsRefusedOfABatchIsToldAndTheRestIsSaved() async throws {
        var fault = CumulusEmulator.Fault(error: "QUOTA_EXCEEDED")
        (fault.recordType, fault.operation) = ("Item", 1)
        try await emulator.add(fault)
        #expect(try await list.add(["Eggs", "Salt", "Oil"]) == ["Salt"])
        #expect(try await list.refresh() == ["Bread", "Eggs", "Milk", "Oil"])
    }

    @Test(arguments: [true, false]) func aDeviceFollowsARestore(keepsTokens: Bool) async throws {
        _ = try await list.refresh()
        try await emulator.takeSnapshot("seeded")
        try await list.add("Eggs")
        #expect(try await list.refresh() == ["Bread", "Eggs", "Milk"])
        try await emulator.restore("seeded", keepsTokens: keepsTokens)
        #expect(try await list.refresh() == ["Bread", "Milk"])
    }

    @Test func anExpiredTokenBeginsTheListAnew() async throws {
        _ = try await list.refresh()
        try await list.add("Eggs")
        var fault = CumulusEmulator.Fault()
        (fault.syncToken, fault.count) = (.refused, 1)
        try await emulator.add(fault)
        #expect(try await list.refresh() == ["Bread", "Eggs", "Milk"])
    }

    @Test func theListWouldWorkBesideABusyServer() async throws {
        try await emulator.startLint()
        try await emulator.add(.init(route: "records/modify", nth: 1, error: "THROTTLED"))
        for title in ["Eggs", "Salt"] { try await list.add(title) }
        for _ in 1...2 { _ = try await list.refresh() }
        #expect(try await emulator.lint().map(\.text) == [])
    }

    @Test func aSessionEndsWithItsTime() async throws {
        _ = try await list.refresh()
        try await emulator.advanceClock(by: .seconds(25 * 3600))
        let error = await #expect(throws: CKError.self) { _ = try await list.refresh() }
        #expect(error?.code == .notAuthenticated)
    }
}

import CloudModel
import TestStore
import Testing

@testable import CloudStore

/// The parts that a share's page is made of.
struct ShareContentsTests {
    /// A shared tree whose records were made in an order that is not that of their names; a whole zone without a root.
    private func album(ofZone: Bool) async throws -> (temporary: TemporaryStore, guid: String) {
        let temporary = try TemporaryStore()
        let store = temporary.store
        try await store.makeZone()
        _ = try await store.modify([operation(.create, "album")])
        for name in ["e", "a", "d", "b", "c"] {
            temporary.clock.pass(milliseconds: 1000)
            let type = name == "d" ? "Sketch" : "Note"
            _ = try await store.modify([operation(.create, name, type: type, more: parent("album"))])
        }
        return (temporary, try await store.share(ofZone ? nil : "album", permission: "READ_ONLY"))
    }

    private func names(_ page: ShareRecordsPage) throws -> [String] {
        try page.records.map { try PageRecord($0).recordName }
    }

    @Test("Records are in order of creation, also after a change", arguments: [false, true])
    func changesMoveNothing(ofZone: Bool) async throws {
        let (temporary, guid) = try await album(ofZone: ofZone)
        let store = temporary.store
        _ = try await store.modify([operation(.forceUpdate, "a"), operation(.forceUpdate, "album")])
        let page = try await store.sharePages.records(guid, as: nil, .all, after: 0, limit: 100)
        #expect(try names(page) == ["album", "e", "a", "d", "b", "c"])
        #expect(page.next == nil)
    }

    @Test("The position of a share's page moves with the records of its zone", arguments: [false, true])
    func position(ofZone: Bool) async throws {
        let (temporary, guid) = try await album(ofZone: ofZone)
        let store = temporary.store
        let before = try #require(try await store.sharePages.position(of: guid))
        #expect(try await store.sharePages.position(of: guid) == before)
        _ = try await store.modify([operation(.forceUpdate, "a")])
        let after = try await store.sharePages.position(of: guid)
        #expect(after != nil && after != before)
        #expect(try await store.sharePages.position(of: "none") == nil)
    }

    @Test("A change between two parts neither skips nor repeats a record", arguments: [false, true])
    func changesBetweenParts(ofZone: Bool) async throws {
        let (temporary, guid) = try await album(ofZone: ofZone)
        let store = temporary.store
        var names: [String] = []
        var next: Int64? = 0
        while let place = next {
            let page = try await store.sharePages.records(guid, as: nil, .all, after: place, limit: 2)
            names += try self.names(page)
            next = page.next
            // Edits a record already read, and a record on a later page.
            _ = try await store.modify([operation(.forceUpdate, "e"), operation(.forceUpdate, "c", type: "Note")])
        }
        #expect(names == ["album", "e", "a", "d", "b", "c"])
    }

    @Test("Large records come in short parts without loss")
    func largeRecords() async throws {
        let (temporary, guid) = try await album(ofZone: false)
        let store = temporary.store
        let text = #"{"text": {"value": "\#(String(repeating: "x", count: 900_000))"}}"#
        let large = (0..<8).map { "large\($0)" }
        for name in large {
            _ = try await store.modify([operation(.create, name, fields: text, more: parent("album"))])
        }
        var parts: [Int] = []
        var names: [String] = []
        var next: Int64? = 0
        while let place = next {
            let page = try await store.sharePages.records(guid, as: nil, .all, after: place, limit: 100)
            parts.append(page.records.reduce(0) { $0 + $1.size })
            names += try self.names(page)
            next = page.next
        }
        #expect(names == ["album", "e", "a", "d", "b", "c"] + large)
        #expect(parts.count > 1 && parts.allSatisfy { $0 < 6 << 20 })
    }

    @Test("A deleted record leaves the page, and returns at its end when created again", arguments: [false, true])
    func recreated(ofZone: Bool) async throws {
        let (temporary, guid) = try await album(ofZone: ofZone)
        let store = temporary.store
        _ = try await store.modify([operation(.forceDelete, "e", type: nil)])
        var page = try await store.sharePages.records(guid, as: nil, .all, after: 0, limit: 100)
        #expect(try names(page) == ["album", "a", "d", "b", "c"])
        _ = try await store.modify([operation(.create, "e", more: parent("album"))])
        page = try await store.sharePages.records(guid, as: nil, .all, after: 0, limit: 100)
        #expect(try names(page) == ["album", "a", "d", "b", "c", "e"])
    }

    @Test("A stopped share is remembered by its short GUID, and by no other handle")
    func stoppedShares() async throws {
        let (temporary, guid) = try await album(ofZone: false)
        let store = temporary.store
        #expect(try await !store.sharePages.isStopped(guid))
        _ = try await store.modify([operation(.forceDelete, "share-album", type: nil)])
        #expect(try await store.sharePages.isStopped(guid))
        #expect(try await !store.sharePages.isStopped(String(guid.reversed())))
    }
}

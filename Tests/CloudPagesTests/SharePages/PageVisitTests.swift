@testable import CloudPages
import CloudAccounts
import TestCloud
import CloudModel
import CloudStore
import Foundation
import Synchronization
import Testing

/// Reads of a page's records for a download of many files.
struct PageVisitTests {
    @Test("A thousand files check the page once a second, and a closed page ends them")
    func openings() async throws {
        try await TripFixture.run { trip in
            let container = try #require(
                try await trip.server.accounts.containers.all().first { $0.name == TripFixture.container })
            let stores = ContainerStores(folder: trip.server.folder, accounts: trip.server.accounts, previews: nil)
            let store = try await stores.store(container: container, environment: .development)
            let record = try #require(try await PublishedRecords.find(TripFixture.id, in: store))
            let rule = try #require(try await trip.server.accounts.pageRules.list().first?.rule)
            let page = SharedPage(
                id: TripFixture.id, container: container, environment: .development, store: store,
                kind: .published(record, rule), owner: record.creator, link: nil,
                visitor: CloudPages.Visitor(person: nil, isOwner: false))
            let state = Mutex((time: Timestamp(wholeSeconds: 1_700_000_000), opened: 0, isClosed: false))
            struct Closed: Error {}
            let visit = PageVisit(page, now: { state.withLock(\.time) }) {
                let isClosed = state.withLock { state in
                    state.opened += 1
                    return state.isClosed
                }
                if isClosed { throw Closed() }
                return page
            }
            for file in 0..<1000 {
                if file == 500 { state.withLock { $0.time = $0.time + .seconds(1) } }
                _ = try await visit.page()
            }
            #expect(state.withLock(\.opened) == 1)
            state.withLock { ($0.time, $0.isClosed) = ($0.time + .seconds(1), true) }
            await #expect(throws: Closed.self) { try await visit.page() }
            try await stores.close()
        }
    }
}

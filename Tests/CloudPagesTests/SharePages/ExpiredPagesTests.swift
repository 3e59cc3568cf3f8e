@testable import CloudHTTP
@testable import CloudWire
@testable import CloudPages
import CloudAccounts
import TestCloud
import CloudModel
import CloudStore
import Foundation
import Logging
import Testing

/// Deletions after a page has expired, and the data that stays.
struct ExpiredPagesTests {
    private static let expired = #"{"expiresAt": 1000, "deleteAfterExpiry": true}"#

    private func sweep(_ trip: TripFixture) async throws {
        var settings = HTTPSettings()
        settings.dev = true
        let server = trip.server
        let stores = ContainerStores(folder: server.folder, accounts: server.accounts, previews: nil)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let service = try WireService(
            settings, WireSettings(), folder: server.folder, accounts: server.accounts, stores: stores,
            hub: NotificationHub(), metrics: ServerMetrics(), logger: logger)
        let site = try Site(service, SiteSettings(), pages: TestServer.pages.get())
        try await ExpiredPages(site: site, interval: .seconds(60), logger: logger, clock: SettableClock()).sweep()
        try await stores.close()
    }

    private func exists(_ trip: TripFixture, _ name: String) async throws -> Bool {
        try await trip.sender.lookup(in: "public", name)["records.0.recordType"] != nil
    }

    @Test("An expired public page is deleted with its items, and items of other people stay")
    func deletion() async throws {
        try await TripFixture.run { trip in
            let eve = try await trip.server.signIn("eve@example.com", TripFixture.container)
            try await trip.addPhoto(0, try TripFixture.photo("moon"), as: eve)
            _ = try await trip.settle(Self.expired)
            try await sweep(trip)
            #expect(try await !exists(trip, TripFixture.id))
            for index in 0..<3 { #expect(try await !exists(trip, "\(TripFixture.id)_\(index)")) }
            #expect(try await exists(trip, "\(TripFixture.id)_0_x"))
            let answer = try await trip.server.send(.get, trip.path)
            #expect(answer.status == 404)
        }
    }

    @Test("Without deleteAfterExpiry an expired page's records stay") func keptRecords() async throws {
        try await TripFixture.run { trip in
            _ = try await trip.settle(#"{"expiresAt": 1000}"#)
            try await sweep(trip)
            #expect(try await exists(trip, TripFixture.id))
            let answer = try await trip.server.send(.get, trip.path)
            #expect(answer.status == 410)
        }
    }

    /// Somebody else's reference keeps a record from being deleted. That must not bring its page back.
    @Test("The page of a record that cannot be deleted stays closed") func undeletable() async throws {
        try await TripFixture.run { trip in
            let eve = try await trip.server.signIn("eve@example.com", TripFixture.container)
            try await eve.save(
                in: "public", "pin", type: "Pin",
                fields: """
                    "to": {"value": {"recordName": "\(TripFixture.id)", "action": "VALIDATE"}, "type": "REFERENCE"}
                    """)
            _ = try await trip.settle(Self.expired)
            try await sweep(trip)
            #expect(try await exists(trip, TripFixture.id))
            let answer = try await trip.server.send(.get, trip.path)
            #expect(answer.status == 410)
        }
    }

    @Test("An expired page stays closed when its rule is removed and set again")
    func rulesSetAgain() async throws {
        try await TripFixture.run { trip in
            _ = try await trip.settle(Self.expired)
            let accounts = trip.server.accounts
            let rule = try #require(try await accounts.pageRules.list(container: TripFixture.container).first?.rule)
            try await accounts.pageRules.remove(recordType: rule.recordType, container: TripFixture.container)
            try await sweep(trip)
            try await accounts.pageRules.set(rule, container: TripFixture.container)
            let answer = try await trip.server.send(.get, trip.path)
            #expect(answer.status == 410)
        }
    }

    @Test("A share that expires is stopped, and its records stay") func expiredShare() async throws {
        try await TripFixture.run { trip in
            try await trip.sender.makeZone("clips")
            try await trip.sender.save(zone: "clips", "clip", fields: #""content": {"value": "Secret"}"#)
            let guid = try await trip.sender.share("clip", in: "clips", permission: "READ_ONLY")
            #expect(try await trip.settle(Self.expired, id: guid).status == 200)
            try await sweep(trip)
            let answer = try await trip.server.send(.get, "/share/\(guid)")
            #expect(answer.status == 410)
            #expect(try await trip.sender.lookup(zone: "clips", "clip")["records.0.share"] == nil)
        }
    }
}

import CloudAccounts
package import CloudHTTP
package import CloudPages
package import CloudServer
package import CloudModel
package import Foundation
package import Logging
import NIOCore
import Testing

/// Somebody who publishes a trip: a public record with a page rule, and photos.
package struct TripFixture: Sendable {
    package static let container = "iCloud.com.example.trips"
    package static let id = "3F2504E0-4F89-11D3-9A0C-0305E82C3301"
    package static let photos = ["astronaut", "cat", "coffee"]

    package let server: TestServer
    package let sender: App

    package static func run(
        _ setup: TestingSetup = .router, configure: (inout ServerConfiguration) -> Void = { _ in },
        clock: @escaping Now = Timestamp.now, logger: Logger = TestServer.silent, pages: PageFiles? = nil,
        _ body: @Sendable (TripFixture) async throws -> Void
    ) async throws {
        try await TestServer.run(setup, configure: configure, clock: clock, logger: logger, pages: pages) { server in
            let sender = try await server.signIn("mei@example.com", container)
            let rule = try PageRule(try JSONParser.parse(Array(rule.utf8)))
            try await server.accounts.pageRules.set(rule, container: container)
            let trip = TripFixture(server: server, sender: sender)
            try await trip.publish()
            try await body(trip)
        }
    }

    private static let rule = """
        {"recordType": "SharedVacation", "title": "{locationName}",
         "lines": ["{startDate} – {endDate}", "{photoCount} photos", "Shared by {sharedBy}", "{nothing}"],
         "items": {"recordType": "SharedPhoto", "join": {"field": "shareId", "equals": "shareId"},
                   "sortBy": "orderIndex", "asset": "photoAsset"},
         "app": {"name": "Trips", "url": "trips://share/{id}", "storeId": "123",
                 "appIds": ["TEAM123456.com.example.trips"]}}
        """

    /// Makes a trip, with photos of these names.
    package func publish(
        _ id: String = Self.id, title: String = "Lisbon <b>", photos: [String] = Self.photos
    ) async throws {
        try await sender.save(
            in: "public", id, type: "SharedVacation",
            fields: """
                "shareId": {"value": "\(id)"}, "locationName": {"value": "\(title)"},
                "startDate": {"value": 1700000000000, "type": "TIMESTAMP"},
                "endDate": {"value": 1700600000000, "type": "TIMESTAMP"},
                "photoCount": {"value": \(photos.count)}, "sharedBy": {"value": "Mei"}
                """)
        for (index, name) in photos.enumerated() { try await addPhoto(index, try Self.photo(name), to: id) }
    }

    package static func photo(_ name: String) throws -> Data {
        try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../Samples/photos/\(name).jpg"))
    }

    package func addPhoto(_ index: Int, _ bytes: Data, to id: String = Self.id, as app: App? = nil) async throws {
        let app = app ?? sender
        let name = "\(id)_\(index)\(app.user == sender.user ? "" : "_x")"
        let asset = try await upload(bytes, name, "SharedPhoto", "photoAsset", in: "public", app)
        try await app.save(
            in: "public", name, type: "SharedPhoto",
            fields: """
                "shareId": {"value": "\(id)"}, "orderIndex": {"value": \(index)},
                "photoAsset": {"value": \(asset)}
                """)
    }

    /// Uploads bytes, and answers the value a field takes.
    package func upload(
        _ bytes: Data, _ record: String, _ type: String, _ field: String, in database: String, zone: String? = nil,
        _ app: App
    ) async throws -> String {
        let zone = zone.map { #", "zoneID": {"zoneName": "\#($0)"}"# } ?? ""
        let answer = try await app.post(
            "\(database)/assets/upload",
            """
            {"tokens": [{"recordName": "\(record)", "recordType": "\(type)", "fieldName": "\(field)"}]\(zone)}
            """)
        let url = try #require(answer["tokens.0.url"]?.string)
        let path = "/" + url.split(separator: "/", maxSplits: 2)[2]
        let receipt = try await server.send(.post, path, body: ByteBuffer(bytes: bytes))
        var writer = JSONWriter()
        writer.value(try #require(receipt["singleFile"]))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    package var path: String { "/share/\(Self.id)" }

    /// The origin of a live server.
    package var origin: String { "http://127.0.0.1:\(server.client.port ?? 0)" }

    /// Changes the settings of the page with this id.
    package func settle(_ body: String, id: String = Self.id, as app: App? = nil) async throws -> Answer {
        try await server.send(
            .put, links("/\(id)", as: app), headers: [.contentType: "application/json"], body: ByteBuffer(string: body))
    }

    package func links(_ rest: String = "", as app: App? = nil) -> String {
        let app = app ?? sender
        return "/share/1/\(Self.container)/development/links\(rest)?ckAPIToken=\(app.apiToken ?? "")"
            + "&ckWebAuthToken=\(App.encoded(app.token ?? ""))"
    }

    /// A browser that this person is signed in with.
    package func browser(of email: String) async throws -> WebVisitor {
        let account = try #require(try await server.accounts.users.find(email: email))
        let visitor = WebVisitor(server)
        visitor.setCookie(
            BrowserSession.cookieName,
            try await server.accounts.browserLogins.create(account: account, persistent: false))
        return visitor
    }

    /// The response to a path, byte for byte.
    package func bytes(
        _ path: String, as visitor: WebVisitor? = nil
    ) async throws -> (status: Int, headers: HTTPFields, body: Data) {
        var headers: HTTPFields = [:]
        if let session = visitor?.cookie(BrowserSession.cookieName) {
            headers[.cookie] = "\(BrowserSession.cookieName)=\(session)"
        }
        let response = try await server.client.execute(uri: path, method: .get, headers: headers, body: nil)
        return (response.status.code, response.headers, Data(response.body.readableBytesView))
    }
}

import TestCloud
import CloudModel
import Testing

/// All shares of an environment in the console.
@Suite(.timeLimit(.minutes(20)))
struct ConsoleSharesTests {
    private static let place = "container=iCloud.com.example.test&environment=development"

    @Test("A share's row shows participants, their permissions and the page's end, and can be taken down")
    func shares() async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await mei.makeZone("trips")
            try await mei.save(zone: "trips", "lisbon", type: "Trip", fields: #""title": {"value": "Lisbon"}"#)
            let guid = try await mei.share("lisbon", in: "trips", permission: "READ_ONLY")
            let vera = try await server.signIn("vera@example.com")
            _ = try await vera.accept(guid)
            let visitor = WebVisitor(server)
            let page = try await visitor.open("/console/shares?\(Self.place)").text
            #expect(page.contains("(owner), ") && page.contains("(reads, accepted)"), "\(page)")
            #expect(page.contains("href=\"/share/\(guid)\"") && page.contains("data-label=\"Ends\""))
            #expect(page.contains(">never</span>") && page.contains("read only"))
            #expect(try await visitor.submit("/console/shares", ["shortGUID": guid]).status == 303)
            #expect(try await visitor.open("/console/shares?\(Self.place)").text.contains("Nothing is shared here."))
        }
    }
}

import CumulusKit
import Foundation

/// The sender's say over a link that is out: what others see behind it, whether, and for how long.
struct SettleTrip {
    private static let shown = 3
    private static let days = 30

    let photos: [Photo]
    let app: CKContainer
    let link: Link
    let stage: Stage

    func play() async throws {
        stage.want("Anna looks at what she has shared.")
        let list = try await stage.server.ask(app, "share", "links", method: "GET")
        let trip = list["links"]?.array?.first { $0["id"]?.string == Trip.id }
        try stage.check("the trip is there, with its link", trip?["url"]?.string, is: link.url.absoluteString)
        try stage.check("and open", trip?["state"]?.string, is: "OPEN")

        stage.want("She keeps all but \(Self.shown) of the photos to herself.")
        let names = (0..<Self.shown).map { JSON.string("\(Trip.id)_\($0)") }
        try await settle(["items": .array(names)], state: "OPEN")
        let page = try await stage.server.open(link)
        let zip = try await stage.server.zip(of: page)
        try stage.check("others find these", zip.map(\.bytes) == photos.prefix(Self.shown).map(\.bytes), is: true)

        try await takeDown(page)
        try await putUp()
    }

    private func takeDown(_ page: Page) async throws {
        stage.want("She takes the page down.")
        try await settle(["takenDown": true], state: "TAKEN_DOWN")
        let gone = try await stage.server.open(link)
        try stage.check("it says that it is gone", gone.status, is: 410)
        try stage.check("and nothing else", gone.html.contains(Trip.place), is: false)
        for address in page.tiles.prefix(1) + page.downloads.prefix(1) + ["\(link.path)/zip"] {
            let status = try await Wire.quietly { try await stage.server.fetch(address).status }
            try stage.check("gone: \(address)", status, is: 410)
        }
    }

    private func putUp() async throws {
        stage.want("She puts it up again, with all photos and for \(Self.days) days.")
        // By the server's clock, which earlier plays have moved.
        let clock = try await Wire.quietly { try await stage.server.ask("GET", "/emulator/1/clock") }
        let end = (clock["now"]?.number ?? 0) + Double(Self.days) * 86_400_000
        try await settle(["takenDown": false, "items": .null, "expiresAt": .number(end)], state: "OPEN")
        let page = try await stage.server.open(link)
        try stage.check("all of them are there", page.tiles.count, is: photos.count)
    }

    private func settle(_ settings: JSON, state: String) async throws {
        let answer = try await stage.server.ask(app, "share", "links/\(Trip.id)", settings, method: "PUT")
        try stage.check("settled", answer["state"]?.string, is: state)
    }
}

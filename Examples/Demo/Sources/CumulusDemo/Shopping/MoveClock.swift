import CumulusKit
import Foundation

/// A day and an hour pass at once: what was to end by then has ended, and everything else goes on.
struct MoveClock {
    private static let hours = 25

    let person: String
    let app: CKContainer
    let photo: Photo
    let stage: Stage

    func play() async throws {
        let server = stage.server
        stage.want("Anna takes a picture of her favourite cheese, and looks at it by its link.")
        let picture = CKRecord(Shopping.type, "picture", in: Shopping.zone, ["photo": CKAsset(data: photo.bytes)])
        try await app.privateCloudDatabase.save(picture)
        try await look(at: picture)

        stage.want("Somebody opens the page to sign in at, and goes for a coffee. A phone waits for news.")
        guard let page = try await app.stranger.signInURL()?.absoluteString else {
            throw Mismatch(what: "who is signed in", expected: "nobody", got: "somebody")
        }
        try stage.check("the page is there", try await server.fetch(page, accept: "text/html").status, is: 200)
        let line = try await stage.connect(app.device("phone"))

        stage.want("\(Self.hours) hours pass.")
        let before = try await now("GET")
        let after = try await now("PUT", ["advance": .number(Double(Self.hours) * 3600)])
        try stage.check("by the server's clock", after - before >= Double(Self.hours) * 3_600_000, is: true)

        stage.want(
            "Her session was good for half an hour, the page for one, the phone's line for twelve, the link for a day.")
        let late = try await server.fetch(page, accept: "text/html")
        try stage.check("the page has ended", late.status, is: 400)
        // 410 until the server has forgotten it, then 404.
        let heard = try await server.fetch(line.url)
        try stage.check("the line has ended", [404, 410].contains(heard.status), is: true)
        try await stage.refuse("the link has ended", .assetNotAvailable) { try await look(at: picture) }
        try await stage.refuse("the session has ended", .notAuthenticated) {
            try await app.privateCloudDatabase.record(for: picture.recordID)
        }

        stage.want("Anna signs in again. The picture is still there, with a new link.")
        _ = try await Wire.quietly { try await app.signInForDevelopment(email: person) }
        try await look(at: app.privateCloudDatabase.record(for: picture.recordID))
    }

    private func look(at picture: CKRecord) async throws {
        let asset: CKAsset? = picture["photo"]
        try stage.check("it is the picture she took", try await asset?.data() == photo.bytes, is: true)
    }

    /// The server's clock, in milliseconds.
    private func now(_ method: String, _ change: JSON? = nil) async throws -> Double {
        let clock = try await stage.server.ask(method, "/emulator/1/clock", change)
        guard let now = clock["now"]?.number else {
            throw Mismatch(what: "the server's clock", expected: "the time", got: clock.text)
        }
        return now
    }
}

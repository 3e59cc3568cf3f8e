import CumulusKit

/// The sender's side: the trip, then its photos, three at a time.
struct PublishTrip {
    private static let uploadsInFlight = 3

    let photos: [Photo]
    let app: CKContainer
    let stage: Stage

    func play() async throws {
        let database = app.publicCloudDatabase
        stage.want("Anna publishes her trip to \(Trip.place).")
        try await stage.succeed("it is there") {
            try await database.write([Trip.vacation(photos: photos.count)], .allKeys)
        }
        try await forgetSettings()

        stage.want("Her \(photos.count) photos follow, \(Self.uploadsInFlight) at a time.")
        let saved = try await stage.each(
            of: Array(photos.enumerated()), atOnce: Self.uploadsInFlight, total: photos.count, "photos"
        ) { try await database.write([Trip.photo($0, $1)], .allKeys) }
        try stage.check("every photo was saved", saved, is: photos.count)

        stage.want("She taps “try again” on the first one, though nothing was wrong with it.")
        try await stage.succeed("no harm done") {
            try await Wire.quietly { try await database.write([Trip.photo(0, photos[0])], .allKeys) }
        }
    }

    /// Forgets what an earlier play settled about the link.
    private func forgetSettings() async throws {
        let answer = try await Wire.quietly {
            try await stage.server.ask(app, "share", "links/\(Trip.id)", method: "DELETE")
        }
        guard answer["serverErrorCode"] == nil else {
            throw Mismatch(
                what: "the link of a published record",
                expected: "200, by a page rule in the server's folder, which is ./data or what CUMULUS_DATA says",
                got: answer.text)
        }
    }
}

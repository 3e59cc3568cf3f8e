import CloudAssets
import CloudHTTP
import CloudMedia
import CloudModel
import CloudStore

/// The days of a page's files, each with a zip of its own for phones with little storage.
///
/// A day is that of the clock where the picture was taken, as in the headings of the page.
struct PageZipDays: Sendable {
    struct Day: Sendable {
        /// Days since 1970.
        let day: Int
        var files = 0
        var bytes: Int64 = 0
    }

    let days: [Day]

    /// - Parameter files: in the order of the page, movies behind their stills.
    init(_ files: [PageFile]) {
        var days: [Int: Day] = [:]
        for (file, day) in Self.placed(files) {
            days[day, default: Day(day: day)].files += 1
            days[day]?.bytes += file.asset.size
        }
        self.days = days.values.sorted { $0.day < $1.day }
    }

    /// `GET /share/{id}/days`: `{"days": [{"day": 20618, "text": "Sunday, June 14, 2026", "files": 12, "bytes": 34567890}]}`.
    static let endpoint: PageEndpoint = { call in
        let (page, files) = try await PageZip.offered(call)
        let language = call.speaking(page).language
        // Copies are smaller than the files, by how much is not known before they are made.
        let isKnown = page.downloads == .originals
        let given = files.filter { isKnown && (page.showsPlaces || $0.facts?.removal.isCertain != false) }
        var response = Response.json(PageZipDays(given).json(language))
        response.headers[.cacheControl] = "no-store"
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.vary] = "Accept-Language, Cookie"
        return response
    }

    /// The day that a visitor asks for by `?day=`; nil for all days. Chosen files have no day.
    ///
    /// - Throws: `BAD_REQUEST` for anything but a number of days.
    static func day(_ call: PageCall) throws -> Int? {
        guard call.request.method != .post, let text = call.query["day"] else { return nil }
        guard let day = Int(text), bounds.contains(day) else {
            throw ServerError.badRequest(
                "day: must be a whole number of days since 1970-01-01, from \(bounds.lowerBound) to \(bounds.upperBound)"
            )
        }
        return day
    }

    /// The files of one day.
    static func files(of day: Int, among files: [PageFile]) -> [PageFile] {
        placed(files).filter { $0.day == day }.map(\.file)
    }

    /// The years 0 to 9999.
    private static let bounds = -719_528...2_932_896

    /// The movie of a Live Photo goes with its still.
    private static func placed(_ files: [PageFile]) -> [(file: PageFile, day: Int)] {
        let stills = LivePairs.find(files)
        return files.map { ($0, (stills[$0.key] ?? $0).day) }
    }

    /// An empty list above ``GridView/mostDays`` days.
    private func json(_ language: PageLanguage) -> JSONWriter {
        var writer = JSONWriter(capacity: 4096)
        writer.object { json in
            json.key("days")
            json.array { list in
                for day in days.count <= GridView.mostDays ? days : [] {
                    list.object {
                        $0.key("day")
                        $0.integer(Int64(day.day))
                        $0.member("text", language.weekday(Timestamp(wholeSeconds: Int64(day.day) * 86_400)))
                        $0.key("files")
                        $0.integer(Int64(day.files))
                        $0.key("bytes")
                        $0.integer(day.bytes)
                    }
                }
            }
        }
        return writer
    }
}

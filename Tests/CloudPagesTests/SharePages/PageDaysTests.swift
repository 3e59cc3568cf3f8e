import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore
import Foundation
import TestAssets
import TestCloud
import Testing

@testable import CloudPages

/// Albums in order of the time of taking, with days.
@Suite(.timeLimit(.minutes(5)))
struct PageDaysTests {
    /// An album of pictures with these clocks, in this order of creation; nil for a picture that tells no time.
    ///
    /// - Parameter title: the field with a picture's name; a caption only if pages know the field as a title.
    private func withAlbum(
        _ times: [(String, String?)?], naming title: String = "title",
        _ body: @Sendable (TripFixture, _ page: String) async throws -> Void
    ) async throws {
        try await TripFixture.run { trip in
            let app = trip.sender
            try await app.makeZone("Z")
            try await app.save(zone: "Z", "root", type: "Album", fields: #""title": {"value": "Our year"}"#)
            for start in stride(from: 0, to: times.count, by: 40) {
                var writes: [String] = []
                for number in start..<min(start + 40, times.count) {
                    let file = MediaFile(time: times[number]?.0, offset: times[number]?.1)
                    let picture = Data(file.photo(Pictures.gray(width: 40 + number % 200, height: 30)))
                    let value = try await trip.upload(
                        picture, "p\(number)", "Photo", "file", in: "private", zone: "Z", app)
                    writes.append(
                        Operation.write(
                            "create", "p\(number)", type: "Photo",
                            fields: #""file": {"value": \#(value)}, "\#(title)": {"value": "n\#(number)"}"#,
                            extra: #", "parent": {"recordName": "root"}"#))
                }
                _ = try await app.modify(zone: "Z", writes)
            }
            let guid = try await app.share("root", in: "Z", permission: "READ_ONLY")
            try await trip.finishFacts()
            try await body(trip, "/share/\(guid)")
        }
    }

    private func names(_ page: String) -> [String] {
        page.matches(of: #/<img [^>]*alt="([^"]*)"/#).map { String($0.output.1) }
    }

    private func headings(_ page: String) -> [String] {
        page.matches(of: #/<li class="heading"><h3>([^<]*)<\/h3>/#).map { String($0.output.1) }
    }

    @Test("Pictures stand by the moment of taking, oldest first, under headings of their own days")
    func days() async throws {
        let times: [(String, String?)?] = [
            ("2026:06:15 10:00:00", "+02:00"), ("2026:06:14 23:30:00", "+09:00"), ("2026:06:14 20:00:00", "+00:00"),
            ("2026:06:13 08:00:00", nil),
        ]
        try await withAlbum(times) { trip, path in
            let page = try await trip.server.send(.get, path).text
            // 23:30 in Tokyo is before 20:00 UTC.
            #expect(names(page) == ["n3", "n1", "n2", "n0"])
            let days = headings(page)
            #expect(days.count == 3 && days[0].contains("Saturday") && days[0].contains("13"))
            #expect(days[1].contains("Sunday") && days[1].contains("14"))
            #expect(page.contains("June 13, 2026 – June 15, 2026"))
            let german = try await trip.server.send(.get, path, headers: [.acceptLanguage: "de"]).text
            #expect(headings(german).first == "Samstag, 13. Juni 2026")
            let key = ItemKey(recordName: "p1", field: "file", index: 0).text
            let about = try await trip.server.send(.get, "\(path)/about/\(key)")
            #expect(about.text.contains("June 14, 2026") && about.text.contains("UTC+9"))
            #expect(about.text.contains("Acme One") && about.text.contains("1/250 s"))
            let zip = try await StoredZip(trip.bytes("\(path)/zip").body).names
            #expect(zip.map { $0.split(separator: ".")[0] } == ["1 n3", "2 n1", "3 n2", "4 n0"])
            let listed = try await trip.server.send(.get, "\(path)/days", headers: [.acceptLanguage: "de"])["days"]?
                .array
            let found = (listed ?? []).compactMap(\.object)
            #expect(found.compactMap { $0["files"]?.integer } == [1, 2, 1])
            #expect(found.first?["text"]?.string == "Samstag, 13. Juni 2026")
            let day = try #require(found.dropFirst().first?["day"]?.integer)
            let part = try await trip.bytes("\(path)/zip?day=\(day)")
            #expect(try StoredZip(part.body).names.map { $0.split(separator: ".")[0] } == ["1 n1", "2 n2"])
            #expect(part.headers[.contentDisposition]?.contains("June 14, 2026.zip") == true)
            #expect(try await trip.server.send(.get, "\(path)/zip?day=\(day + 2)").status == 404)
            for wrong in ["14%20June", "\(Int.max)", "\(Int.min)", ""] {
                #expect(try await trip.server.send(.get, "\(path)/zip?day=\(wrong)").status == 400, "\(wrong)")
            }
            _ = try await trip.settle(#"{"downloads": "none"}"#, id: String(path.split(separator: "/")[1]))
            #expect(try await trip.server.send(.get, "\(path)/days").status == 404)
        }
    }

    @Test("Pictures without captions are named by the day and time of taking, in windows and in any language too")
    func timedNames() async throws {
        let times: [(String, String?)?] = [("2026:06:14 23:30:00", "+09:00"), nil]
        try await withAlbum(times, naming: "camera") { trip, path in
            let page = try await trip.server.send(.get, path).text
            #expect(names(page) == ["Photo, June 14, 2026 at 11:30\u{202F}PM", "Photo 2"])
            let german: HTTPFields = [.acceptLanguage: "de"]
            let other = try await trip.server.send(.get, path, headers: german).text
            #expect(names(other) == ["Foto, 14. Juni 2026 um 23:30", "Foto 2"])
            let window = try await trip.server.send(.get, "\(path)/items", headers: german)
            #expect(window["names"]?.array?.compactMap(\.string) == ["Foto, 14. Juni 2026 um 23:30", "Foto 2"])
        }
    }

    @Test("The owner chooses headings for one day, or none for several, in a form or by the API")
    func layouts() async throws {
        let times: [(String, String?)?] = ["15 10", "14 11", "14 10"].map { ("2026:06:\($0):00:00", "+02:00") }
        try await withAlbum(times) { trip, path in
            let id = String(path.split(separator: "/")[1])
            #expect(try await headings(trip.server.send(.get, path).text).count == 2)
            #expect(try await trip.settle(#"{"layout": "stream"}"#, id: id)["layout"]?.string == "stream")
            let stream = try await trip.server.send(.get, path).text
            #expect(headings(stream).isEmpty && names(stream) == ["n2", "n1", "n0"])
            let owner = try await trip.browser(of: "mei@example.com")
            let form = try await owner.open(path).text
            #expect(form.contains(#"<option value="stream" selected>Without headings</option>"#))
            _ = try await owner.submit("\(path)/settings", ["expires": "keep", "layout": "days"])
            _ = try await owner.submit("\(path)/settings", ["expires": "keep", "layout": "spiral"])
            _ = try await trip.settle(#"{"items": ["p1", "p2"]}"#, id: id)
            let day = try await trip.server.send(.get, path).text
            #expect(headings(day).count == 1 && names(day) == ["n2", "n1"])
            #expect(try await trip.settle(#"{"layout": null, "items": null}"#, id: id)["layout"]?.string == "automatic")
            #expect(try await headings(trip.server.send(.get, path).text).count == 2)
            let refused = try await trip.settle(#"{"layout": "spiral"}"#, id: id)
            #expect(refused.status == 400)
            #expect(refused["reason"]?.string == "layout: must be one of automatic, days, stream, or null")
        }
    }

    @Test("Days that an owner wants come before the order of the page's rule")
    func layoutOfRule() async throws {
        try await TripFixture.run { trip in
            try await trip.publish("odd", photos: [])
            for (index, time) in ["2026:06:15 10:00:00", "2026:06:13 10:00:00"].enumerated() {
                let picture = MediaFile(time: time).photo(Pictures.gray(width: 40 + index, height: 30))
                try await trip.addPhoto(index, Data(picture), to: "odd")
            }
            try await trip.finishFacts()
            #expect(try await headings(trip.server.send(.get, "/share/odd").text).isEmpty)
            _ = try await trip.settle(#"{"layout": "days"}"#, id: "odd")
            let page = try await trip.server.send(.get, "/share/odd").text
            #expect(headings(page).map { $0.contains("13") } == [true, false])
            let window = try await trip.server.send(.get, "/share/odd/items")
            #expect(window["widths"]?.array?.compactMap(\.integer) == [41, 40])
        }
    }

    @Test("Pictures of one day have no heading, and those without a time stand by their creation")
    func oneDay() async throws {
        try await withAlbum([nil, nil, nil]) { trip, path in
            let page = try await trip.server.send(.get, path).text
            #expect(names(page) == ["n0", "n1", "n2"] && headings(page).isEmpty && !page.contains("dated"))
        }
    }

    @Test("A long page has the same order in its parts, its windows and its days") func long() async throws {
        // Created newest first, two a day.
        let times: [(String, String?)?] = (0..<130).map { number in
            let day = (129 - number) / 2
            let (month, rest) = (day / 28 + 1, day % 28 + 1)
            let digits = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
            return ("2026:\(digits(month)):\(digits(rest)) 10:00:1\((129 - number) % 2)", "+00:00")
        }
        try await withAlbum(times) { trip, path in
            var parts: [String] = []
            var next: String? = path
            while let address = next {
                let page = try await trip.server.send(.get, address).text
                parts += names(page)
                next = page.firstMatch(of: #/rel="next" href="([^"]*)"/#).map { App.unescaped(String($0.output.1)) }
            }
            #expect(parts.count == 130 && Set(parts).count == 130)
            var windows: [String] = []
            var days: [Int64] = []
            for from in [0, 50, 100] {
                let answer = try await trip.server.send(.get, "\(path)/items?from=\(from)&count=50")
                windows += answer["names"]?.array?.compactMap(\.string) ?? []
                days += answer["days"]?.array?.compactMap(\.integer) ?? []
            }
            #expect(windows == parts)
            #expect(days == days.sorted() && Set(days).count == 65)
            #expect(parts == (0..<130).reversed().map { "n\($0)" })
        }
    }
}

@testable import CloudHTTP
@testable import CloudPages
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Testing

struct SharePageTests {
    @Test("A public record with a rule has a page that needs no sign-in") func publicPage() async throws {
        try await TripFixture.run { trip in
            let page = try await trip.server.send(.get, trip.path)
            #expect(page.status == 200)
            for text in [
                "Lisbon &lt;b&gt;", "November 14, 2023 – November 21, 2023", "3 photos", "Shared by Mei",
                "trips://share/\(TripFixture.id)", "app-id=123",
                #"property="og:image" content="http://localhost/share/"#, #"loading="eager" fetchpriority="high""#,
                #"width="400" height="400""#,
            ] { #expect(page.text.contains(text), "\(text)") }
            #expect(page.text.matches(of: #/class="photo[" ]/#).count == 3)
            #expect(!page.text.contains("<b>"))
            #expect(page.headers[HTTPField.Name("X-Robots-Tag")!] == "noindex")
            #expect(page.headers[.policy.contentSecurity]?.contains("default-src 'none'") == true)
        }
    }

    @Test("A page's previews and downloads are those of its photos", .everyAssetKeeping) func files() async throws {
        try await TripFixture.run { trip in
            let page = try await trip.server.send(.get, trip.path)
            let previews = page.text.matches(of: #/<img src="([^"]+)"/#).map { String($0.output.1) }
            for preview in previews {
                let answer = try await trip.bytes(preview)
                #expect(answer.status == 200)
                #expect(answer.headers[.contentType] == "image/jpeg")
                #expect(answer.headers[.cacheControl]?.contains("immutable") == true)
            }
            let downloads = page.text.matches(of: #/data-download="([^"]+)"/#).map { String($0.output.1) }
            #expect(downloads.count == 3)
            for (path, name) in zip(downloads, TripFixture.photos) {
                let answer = try await trip.bytes(path)
                let original = try TripFixture.photo(name)
                #expect(answer.body == original, "\(name)")
                #expect(answer.headers[.contentDisposition]?.hasPrefix("attachment; filename=\"Lisbon") == true)
            }
        }
    }

    /// Browsers keep previews for good, so another photo in the same place needs another address.
    @Test("A photo that replaces another has another preview URL", .everyAssetKeeping) func replacedPhoto() async throws
    {
        try await TripFixture.run { trip in
            let address = { (text: String) in text.firstMatch(of: #/<img src="([^"]+)"/#).map { String($0.output.1) } }
            let before = try #require(address(try await trip.server.send(.get, trip.path).text))
            try await trip.addPhoto(0, try TripFixture.photo("moon"))
            let after = try #require(address(try await trip.server.send(.get, trip.path).text))
            #expect(after != before)
            #expect(try await trip.bytes(after).headers[.cacheControl] == "private, max-age=31536000, immutable")
            let old = try await trip.bytes(before)
            #expect(old.headers[.cacheControl] == "private, no-cache")
            #expect(try await trip.bytes(after).body == old.body)
        }
    }

    /// Messengers show a picture they know the size of; nobody is shown one behind a password.
    @Test("A page names its cover picture for messengers, and not behind a password")
    func messengers() async throws {
        try await TripFixture.run { trip in
            let page = try await trip.server.send(.get, trip.path).text
            let picture = try #require(page.firstMatch(of: #/og:image" content="http://localhost([^"]+)"/#)?.output.1)
            #expect(try await trip.bytes(String(picture)).status == 200)
            for (name, value) in [
                ("site_name", "Trips"), ("image:width", "512"), ("image:height", "512"), ("image:type", "image/jpeg"),
                ("image:alt", "Lisbon &lt;b&gt;"),
            ] { #expect(page.contains(#"og:\#(name)" content="\#(value)""#), "\(name)") }
            #expect(picture.contains("/preview/cover/"))
            _ = try await trip.settle(#"{"password": "fado"}"#)
            #expect(try await trip.bytes(String(picture)).status == 403)
            let locked = try await trip.server.send(.get, trip.path).text
            for told in ["og:", "twitter:", "Trips", "Lisbon"] { #expect(!locked.contains(told), "\(told)") }
        }
    }

    @Test("The first six pictures of a page load at once, and the rest when scrolled to") func firstRows() async throws
    {
        try await TripFixture.run { trip in
            try await trip.publish("nine", photos: Array(repeating: "cat", count: 9))
            let page = try await trip.server.send(.get, "/share/nine").text
            let loading = page.matches(of: #/<img src="[^"]+/preview/tile/[^>]+loading="([a-z]+)"/#).map(\.output.1)
            #expect(loading == Array(repeating: "eager", count: 6) + Array(repeating: "lazy", count: 3))
            #expect(page.matches(of: #/fetchpriority="high"/#).count == 1)
            #expect(!page.contains("photoswipe.css"))
        }
    }

    @Test("A picture without a preview is listed as a file with its size and a download")
    func withoutPreview() async throws {
        try await TripFixture.run { trip in
            try await trip.publish("big", photos: ["cat"])
            let huge = Data(Pictures.gray(width: 16_320, height: 12_240, isProgressive: true))
            let broken = Data(try TripFixture.photo("moon").prefix(100))
            try await trip.addPhoto(1, Data(Pictures.gray(width: 12_000, height: 9000)), to: "big")
            try await trip.addPhoto(2, huge, to: "big")
            try await trip.addPhoto(3, broken, to: "big")
            let page = try await trip.server.send(.get, "/share/big").text
            let pictures = page.matches(of: #/<img src="([^"]+)"/#).map { String($0.output.1) }
            #expect(pictures.count == 2)
            for picture in pictures { #expect(try await trip.bytes(picture).status == 200) }
            let files = page.matches(of: #/class="button plain" href="([^"]+/download/[^"]+)"/#).map {
                String($0.output.1)
            }
            #expect(files.count == 2)
            for (path, original) in zip(files, [huge, broken]) {
                let answer = try await trip.bytes(path)
                #expect(answer.body == original)
            }
        }
    }

    @Test("Items made by other people are not on the page") func foreignItems() async throws {
        try await TripFixture.run { trip in
            let other = try await trip.server.signIn("eve@example.com", TripFixture.container)
            try await trip.addPhoto(0, try TripFixture.photo("moon"), as: other)
            let page = try await trip.server.send(.get, trip.path)
            #expect(page.text.matches(of: #/class="photo[" ]/#).count == 3)
            let key = ItemKey(recordName: "\(TripFixture.id)_0_x", field: "photoAsset", index: 0).text
            #expect(try await trip.server.send(.get, "\(trip.path)/download/\(key)").status == 404)
        }
    }

    @Test("A page's text direction follows its heading")
    func direction() async throws {
        try await TripFixture.run { trip in
            for (title, isRightToLeft) in [
                ("رحلة إلى لشبونة", true), ("2026: חופשה", true), ("Lisbon رحلة", false), ("12–14", false),
            ] as [(String, Bool)] {
                try await trip.publish("other", title: title, photos: [])
                let page = try await trip.server.send(.get, "/share/other").text
                #expect(page.contains(#"<html lang="en" dir="rtl">"#) == isRightToLeft, "\(title)")
            }
        }
    }

    @Test("A single picture is shown at most at its own size")
    func singlePicture() async throws {
        try await TripFixture.run { trip in
            try await trip.publish("one", photos: ["cat"])
            let size = try #require(ImageSize([UInt8](try TripFixture.photo("cat")), type: "image/jpeg"))
            let page = try await trip.server.send(.get, "/share/one").text
            #expect(page.contains(#"<ul class="grid one lone" id="photos">"#))
            #expect(page.contains("min(48rem, \(size.width)px)"))
            #expect(page.contains(#"width="\#(size.width)" height="\#(size.height)""#))
        }
    }

    @Test("An identifier without a page answers 404") func unknown() async throws {
        try await TripFixture.run { trip in
            for path in [
                "/share/none", "/share/..%2F..%2Fetc%2Fpasswd", "/share/%00", "/share/\(TripFixture.id)_0",
                "\(trip.path)/download/none", "\(trip.path)/preview/small/none", "\(trip.path)/preview/huge/none",
                "/share/none/zip", "/share/\(String(repeating: "a", count: 5000))", "/share/abc0000000000000000000000",
            ] {
                let answer = try await trip.server.send(.get, path)
                #expect(answer.status == 404, "\(path)")
                #expect(answer.headers[.contentType] == "text/html; charset=utf-8", "\(path)")
            }
        }
    }

    @Test("The apple-app-site-association lists the app ids of the rules") func associatedApps() async throws {
        try await TripFixture.run { trip in
            let answer = try await trip.server.send(.get, "/.well-known/apple-app-site-association")
            #expect(answer.headers[.contentType] == "application/json")
            #expect(answer["applinks.details.0.appIDs.0"]?.string == "TEAM123456.com.example.trips")
        }
    }
}

struct ShareZipTests {
    @Test("The zip holds the photos byte for byte") func wholeZip() async throws {
        try await TripFixture.run { trip in
            let answer = try await trip.bytes("\(trip.path)/zip")
            #expect(answer.status == 200)
            #expect(answer.headers[.contentLength] == "\(answer.body.count)")
            for name in TripFixture.photos {
                #expect(try answer.body.range(of: TripFixture.photo(name)) != nil, "\(name)")
            }
            #expect(answer.body.range(of: Data("1 Lisbon b.jpg".utf8)) != nil)
        }
    }

    @Test("A zip of chosen photos has only these photos") func chosenZip() async throws {
        try await TripFixture.run { trip in
            let page = try await trip.server.send(.get, trip.path)
            let marks = page.text.matches(of: #/name="i" value="([^"]+)"/#).map { String($0.output.1) }
            #expect(marks.count == 3)
            let headers: HTTPFields = [
                .origin: "http://localhost", .contentType: "application/x-www-form-urlencoded",
            ]
            let response = try await trip.server.client.execute(
                uri: "\(trip.path)/zip", method: .post, headers: headers, body: ByteBuffer(string: "i=\(marks[1])"))
            let body = Data(response.body.readableBytesView)
            #expect(try body.range(of: TripFixture.photo("cat")) != nil)
            #expect(try body.range(of: TripFixture.photo("coffee")) == nil)
            let chosen = try await trip.server.send(
                .post, "\(trip.path)/zip?day=\(Int.max)", headers: headers, body: ByteBuffer(string: "i=\(marks[1])"))
            #expect(chosen.status == 200)
            let none = try await trip.server.send(.post, "\(trip.path)/zip", headers: headers)
            #expect(none.status == 400)
            let foreign = try await trip.server.send(
                .post, "\(trip.path)/zip", headers: [.origin: "https://evil.example"],
                body: ByteBuffer(string: "i=\(marks[1])"))
            #expect(foreign.status == 403)
        }
    }
}

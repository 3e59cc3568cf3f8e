@testable import CloudWire
import CloudHTTP
import TestCloud
import CloudModel
import CloudStore
import CloudCrypto
import Foundation
import Testing

/// Downloads by signed links (reference B §8.4).
struct DownloadTests {
    private static let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }

    private static func run(
        _ contents: [UInt8] = bytes, _ body: @escaping @Sendable (TestServer, String) async throws -> Void
    ) async throws {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            try await body(server, try await mei.saveFile(contents))
        }
    }

    @Test("A download has the headers for caching, ranges and safety", .everyAssetKeeping) func headers() async throws {
        try await Self.run { server, path in
            let answer = try await server.download(path)
            #expect(answer.status == 200 && answer.bytes == Self.bytes)
            #expect(answer.headers[.contentLength] == "1000")
            #expect(answer.headers[.acceptRanges] == "bytes")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(answer.headers[.policy.contentSecurity] == "default-src 'none'; sandbox")
            #expect(answer.headers[.cacheControl]?.hasSuffix(", immutable") == true)
            #expect(answer.headers[.accessControl.allowOrigin] == "*")
            #expect(answer.headers[.accessControl.exposeHeaders]?.contains("Content-Range") == true)
            let etag = try #require(answer.headers[.eTag])
            let head = try await server.download(path, .head)
            #expect(head.status == 200 && head.bytes.isEmpty && head.headers[.contentLength] == "1000")
            for known in [etag, "W/\(etag)", "\"x\", \(etag)", "*"] {
                let again = try await server.download(path, headers: [.condition.noneMatch: known])
                #expect(again.status == 304 && again.bytes.isEmpty && again.headers[.eTag] == etag)
            }
            #expect(try await server.download(path, headers: [.condition.noneMatch: "\"x\""]).status == 200)
        }
    }

    @Test("A range of a download gets 206 and exactly these bytes", .everyAssetKeeping)
    func ranges() async throws {
        try await Self.run { server, path in
            for (header, part, contentRange) in [
                ("bytes=0-9", 0..<10, "bytes 0-9/1000"), ("bytes=990-", 990..<1000, "bytes 990-999/1000"),
                ("bytes=-10", 990..<1000, "bytes 990-999/1000"), ("bytes=500-5000", 500..<1000, "bytes 500-999/1000"),
                ("bytes=-5000", 0..<1000, "bytes 0-999/1000"), ("bytes=999-999", 999..<1000, "bytes 999-999/1000"),
                ("bytes=0-0,5-6", nil, nil), ("bytes=9-3", nil, nil), ("bytes=a-b", nil, nil), ("lines=1-2", nil, nil),
                ("bytes=-", nil, nil), ("bytes=--5", nil, nil),
                ("bytes=0-99999999999999999999999", 0..<1000, "bytes 0-999/1000"),
            ] as [(String, Range<Int>?, String?)] {
                let answer = try await server.download(path, headers: [.range: header])
                #expect(answer.status == (part == nil ? 200 : 206), "\(header)")
                #expect(answer.bytes == Array(Self.bytes[part ?? 0..<1000]), "\(header)")
                #expect(answer.headers[.contentRange] == contentRange, "\(header)")
            }
        }
    }

    @Test("A range beyond the end gets 416")
    func rangeBeyondEnd() async throws {
        try await Self.run { server, path in
            for header in ["bytes=1000-", "bytes=5000-6000", "bytes=-0", "bytes=99999999999999999999999-"] {
                let answer = try await server.download(path, headers: [.range: header])
                #expect(answer.status == 416 && answer.bytes.isEmpty, "\(header)")
                #expect(answer.headers[.contentRange] == "bytes */1000", "\(header)")
            }
        }
    }

    @Test("A range whose If-Range does not match gets the whole file") func changedRange() async throws {
        try await Self.run { server, path in
            let etag = try #require(try await server.download(path, .head).headers[.eTag])
            for (condition, status) in [(etag, 206), ("\"x\"", 200), ("Sat, 01 Jan 2022 00:00:00 GMT", 200)] {
                let answer = try await server.download(
                    path, headers: [.range: "bytes=0-0", .condition.range: condition])
                #expect(answer.status == status)
            }
        }
    }

    @Test("The last segment of a download URL is the file's name")
    func fileName() async throws {
        try await Self.run(Array("hello".utf8)) { server, path in
            for (segment, disposition) in [
                ("${f}", #"inline; filename="asset.txt""#), ("%24%7Bf%7D", #"inline; filename="asset.txt""#),
                ("a.txt", #"inline; filename="a.txt""#),
                ("%C3%A9t%C3%A9.txt", #"inline; filename="_t_.txt"; filename*=UTF-8''%C3%A9t%C3%A9.txt"#),
                ("a%22%0D%0Ab.txt", #"inline; filename="a_b.txt"; filename*=UTF-8''a%22b.txt"#),
                ("..%2F..%2Fetc%2Fpasswd", #"inline; filename="....etcpasswd""#), ("..", "inline"), ("%00", "inline"),
            ] {
                let named = path.replacing("${f}", with: segment)
                let answer = try await server.download(named)
                #expect(answer.status == 200, "\(segment)")
                #expect(answer.headers[.contentDisposition] == disposition, "\(segment)")
                let saved = try await server.download(named + "&save=1")
                #expect(saved.headers[.contentDisposition]?.hasPrefix("attachment") == true, "\(segment)")
            }
        }
    }

    @Test(
        "No download can run scripts in this origin",
        arguments: [
            "<html><script>alert(1)</script></html>", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
            "<?xml version='1.0'?><?xml-stylesheet href='a'?><a/>", "%PDF-1.7",
        ])
    func noScripts(contents: String) async throws {
        try await Self.run(Array(contents.utf8)) { server, path in
            let answer = try await server.download(path.replacing("${f}", with: "a.html"))
            #expect(["application/octet-stream", "application/pdf"].contains(answer.headers[.contentType]))
            #expect(answer.headers[.contentDisposition]?.hasPrefix("attachment") == true)
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
        }
    }

    @Test("A download URL that is changed anywhere is refused") func changedLink() async throws {
        try await Self.run { server, path in
            let signature = try #require(path.range(of: "&s="))
            for bad in [
                String(path.prefix { $0 != "?" }), path.replacing("?e=", with: "?e=1"), path + "0",
                String(path[..<signature.lowerBound]), path.replacing("/development/", with: "/production/"),
                path.replacing("/assets/", with: "/previews/").replacing("${f}", with: "small"),
            ] {
                let answer = try await server.send(.get, bad)
                #expect(answer.status == 403 && answer.code == "ACCESS_DENIED", "\(bad)")
            }
            #expect(try await server.download(path + "&x=1").status == 200)
        }
    }

    @Test("A download URL expires at the time that it names") func expiry() throws {
        let links = AssetLinks(key: .init(data: [1]), lifetime: .seconds(86400)) {
            Timestamp(wholeSeconds: 1_700_000_000)
        }
        let writer = links.links(container: "c", environment: .development, origin: "")
        let left = writer.expires - Timestamp(wholeSeconds: 1_700_000_000)
        #expect(left <= .seconds(86400) && left > .seconds(64800))
        let signature = links.sign("x", expires: writer.expires)
        #expect(links.check("x", signature) == .good(seconds: Int(left.components.seconds)))
        #expect(links.check("y", signature) == .forged)
        #expect(links.check("x", nil) == .forged)
        let later = AssetLinks(key: .init(data: [1]), lifetime: .seconds(86400)) {
            Timestamp(wholeSeconds: 1_700_000_000 + 86400)
        }
        #expect(later.check("x", signature) == .expired)
        let upload = UploadTicket(owner: "o", user: "u")
        let place = AssetPlace(container: "c", environment: .production)
        #expect(links.open(links.seal(upload, place))?.upload == upload)
        #expect(links.open(links.seal(upload, place))?.isExpired == false)
        #expect(later.open(links.seal(upload, place))?.isExpired == true)
    }

    @Test("The link to a deleted asset is good until its bytes are collected", .everyAssetKeeping) func deletedAsset()
        async throws
    {
        try await TestServer.run { server in
            let mei = try await server.signIn("mei@example.com")
            let path = try await mei.saveFile(Array("hello".utf8))
            _ = try await mei.modify([Operation.delete("n1")])
            // The link stays good until the bytes are collected, as links do that others may have in their hands.
            #expect(try await server.download(path).status == 200)
            let gone = path.replacing("/iCloud.com.example.test/", with: "/iCloud.com.example.none/")
            #expect(try await server.download(gone).status == 403)
        }
    }
}

import CloudEngine
import CloudServer
import CloudHTTP
import TestCloud
import CloudModel
import Foundation
import TestWire
import Testing

/// Uploads that do not arrive as they should, and downloads nobody reads to the end.
@Suite(.timeLimit(.minutes(20)))
struct AssetTransferTests {
    private static func head(_ path: String, _ more: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(more)\r\n\r\n"
    }

    /// A place to upload to.
    private static func link(_ server: TestServer) async throws -> String {
        let mei = try await server.signIn("mei@example.com")
        return server.path(of: try await mei.uploadLinks()[0])
    }

    /// Files of assets there are, whole or arriving.
    private static func files(_ server: TestServer) -> Int {
        let all = FileManager.default.enumerator(atPath: server.folder.path + "/containers")
        return all?.compactMap { $0 as? String }.filter {
            $0.contains("-assets/") && $0.split(separator: "/").last?.count == 32
        }
        .count ?? 0
    }

    /// Waits until the server has noticed that somebody left.
    private static func waitUntilNoFiles(_ server: TestServer) async throws {
        for _ in 0..<2000 where files(server) > 0 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(files(server) == 0)
    }

    @Test(
        "An upload whose connection ends midway leaves nothing",
        arguments: ["Content-Length: 5000000", "Transfer-Encoding: chunked"])
    func cutUpload(kind: String) async throws {
        try await TestServer.live { server, port in
            let link = try await Self.link(server)
            do {
                let wire = try Wire(port: port)
                let chunk = String(repeating: "x", count: 0x10000)
                try await wire.send(Self.head(link, kind))
                for _ in 0..<20 { try await wire.send(kind.hasPrefix("T") ? "10000\r\n\(chunk)\r\n" : chunk) }
            }
            try await Self.waitUntilNoFiles(server)
            let wire = try Wire(port: port)
            try await wire.send(Self.head(link, "Content-Length: 5") + "hello")
            let answer = try await wire.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 200") && answer.body.contains("receipt"))
        }
    }

    @Test("The server closes the connection of a stalled upload") func stalledUpload() async throws {
        try await TestServer.live(configure: { $0.requestTime = .seconds(0.3) }) { server, port in
            let link = try await Self.link(server)
            let wire = try Wire(port: port)
            try await wire.send(Self.head(link, "Content-Length: 100000") + "a little")
            #expect(try await wire.readAll() == "")
            try await Self.waitUntilNoFiles(server)
        }
    }

    @Test("An upload may take longer than other requests while bytes arrive")
    func longUpload() async throws {
        try await TestServer.live(configure: {
            // Longer than a busy machine keeps a sender from sending.
            $0.requestTime = .seconds(8)
            $0.assetUploadTime = .seconds(1000)
        }) { server, port in
            let link = try await Self.link(server)
            let wire = try Wire(port: port)
            let chunk = String(repeating: "x", count: 20_000)
            try await wire.send(Self.head(link, "Content-Length: \(20_000 * 80)"))
            for _ in 0..<80 {
                try await wire.send(chunk)
                try await Task.sleep(for: .milliseconds(120))
            }
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("An upload over the limit is refused, whether or not its length is announced") func tooLargeUpload()
        async throws
    {
        try await TestServer.live(configure: { $0.limits.assets.bytes = 100_000 }) { server, port in
            let link = try await Self.link(server)
            let announced = try Wire(port: port)
            try await announced.send(Self.head(link, "Content-Length: 100001\r\nExpect: 100-continue"))
            let refusal = try await announced.readAnswer()
            #expect(refusal.head.hasPrefix("HTTP/1.1 413") && refusal.body.contains("(limit.assetBytes)"))
            let chunked = try Wire(port: port)
            try await chunked.send(Self.head(link, "Transfer-Encoding: chunked"))
            let chunk = "10000\r\n\(String(repeating: "x", count: 0x10000))\r\n"
            for _ in 0..<2 { try await chunked.send(chunk) }
            #expect(try await chunked.readAnswer().head.hasPrefix("HTTP/1.1 413"))
            try await Self.waitUntilNoFiles(server)
        }
    }

    @Test("An upload with Expect: 100-continue is told to send its body")
    func expectContinue() async throws {
        try await TestServer.live { server, port in
            let link = try await Self.link(server)
            let wire = try Wire(port: port)
            try await wire.send(Self.head(link, "Content-Length: 30000000\r\nExpect: 100-continue"))
            #expect(try await wire.readAnswer().head.hasPrefix("HTTP/1.1 100"))
        }
    }

    @Test("A download that is closed early leaves the server working") func earlyClose() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let path = try await mei.saveFile([UInt8](repeating: 7, count: 5 << 20))
            for _ in 0..<5 {
                let wire = try Wire(port: port)
                try await wire.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            }
            #expect(try await server.download(path.replacing("${f}", with: "a")).bytes.count == 5 << 20)
        }
    }

    @Test("A large file downloads whole and in ranges over one connection")
    func largeFile() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            // Letters that tell places apart, a prime number of them again and again: more than are handed over at once.
            let letters = (0..<65_521).map { 48 + UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 24) & 63 }
            var contents: [UInt8] = []
            while contents.count < 9_000_001 { contents += letters.prefix(9_000_001 - contents.count) }
            let path = try await mei.saveFile(contents).replacing("${f}", with: "a")
            #expect(Data(try await server.download(path).bytes) == Data(contents))
            for range in [0...0, 4_194_303...4_194_304, 4_194_304...8_388_607, 3...9_000_000] {
                let part = try await server.download(
                    path, headers: [.range: "bytes=\(range.lowerBound)-\(range.upperBound)"])
                #expect(part.status == 206)
                #expect(Data(part.bytes) == Data(contents[range]))
            }
            // Asked for before the first has come, and followed by something else.
            let wire = try Wire(port: port)
            let get = "GET \(path) HTTP/1.1\r\nHost: a\r\n"
            try await wire.send(
                "\(get)Range: bytes=5-6000004\r\n\r\n\(get)Range: bytes=-1\r\nConnection: close\r\n\r\n")
            let answers = try await wire.readAll().components(separatedBy: "HTTP/1.1 206")
            try #require(answers.count == 3)
            #expect(answers[1].hasSuffix("\r\n\r\n" + String(decoding: contents[5...6_000_004], as: UTF8.self)))
            #expect(answers[2].hasSuffix("\r\n\r\n" + String(decoding: contents.suffix(1), as: UTF8.self)))
        }
    }

    /// Clients put the link on the wire as it is, encoded, or with a name in it.
    @Test(
        "A download URL is served with any file name at its end",
        arguments: ["${f}", "%24%7Bf%7D", "%24{f}", "beach.jpg", "a%2Fb"])
    func fileName(segment: String) async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let path = try await mei.saveFile(Array("hello".utf8)).replacing("${f}", with: segment)
            let wire = try Wire(port: port)
            try await wire.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try await wire.readAnswer()
            #expect(answer.head.hasPrefix("HTTP/1.1 200") && answer.body == "hello")
        }
    }

    @Test("Links name the server by the host of the request") func hostOfLinks() async throws {
        try await TestServer.live { server, port in
            let mei = try await server.signIn("mei@example.com")
            let wire = try Wire(port: port)
            try await wire.send(
                mei.bytes("private/assets/upload", #"{"tokens": [{"recordType": "A", "fieldName": "b"}]}"#))
            #expect(try await wire.readAnswer().body.contains(#""url":"http://127.0.0.1/uploads/"#))
        }
    }
}

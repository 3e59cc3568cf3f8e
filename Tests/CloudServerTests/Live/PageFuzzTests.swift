@testable import CloudHTTP
@testable import CloudPages
import TestCloud
import CloudModel
import Foundation
import NIOCore
import Testing

/// The same for what browsers ask for: paths, forms, cookies and headers, damaged.
struct PageFuzzTests {
    private static let ids = [
        "%00", "%ED%A0%80", "%FF%FE", "%", "%2", "..%2F..", "%2e%2e", "_defaultZone", "cloudkit.share", "😀",
        String(repeating: "a", count: 300), String(repeating: "%41", count: 3000), "'; DROP TABLE links; --",
        "a%0d%0ab:c",
    ]

    private static let forms = [
        "password=fado", "action=signin&email=mei@example.com&password=x", "action=cancel&return=/share/x",
        "action=continue&request=AAAA", "takenDown=yes", "choose=some&i=AAAA&i=BBBB", "choose=all",
        "expires=30&deleteAfterExpiry=yes&password=fado", "expires=99999999999999999999&noPassword=yes", "i=AAAA",
        "email=noor@example.com&password=battery+staple&givenName=N", "id=AAAA&code=12345678", "person=new", "",
    ]

    private static let headers: [HTTPField.Name: [String]] = [
        .range: [
            "bytes=0-", "bytes=-0", "bytes=9223372036854775807-", "bytes=-9223372036854775808", "bytes=5-1", "x=1",
        ],
        .condition.range: ["\"x\"", "W/\"x\"", "Wed, 21 Oct 2015 07:28:00 GMT"],
        .condition.noneMatch: ["*", "\"", "W/\"x\", \"y\""],
        .cookie: [
            "cumulus_session=", "cumulus_form=x; cumulus_session=y", "cumulus-page=1.A",
            "cumulus-page=99999999999999999999.AA", "=;;=",
        ],
        .acceptLanguage: ["xx-\u{1}", String(repeating: "en-", count: 100), "en-u-ca-islamic-nu-arab", "*"],
        .contentType: [
            "multipart/form-data; boundary=", "multipart/form-data; boundary=\"", "multipart/form-data; boundary=x",
        ],
    ]

    private func paths(_ trip: TripFixture, guid: String, download: String, link: String) -> [String] {
        let base = ["/share/\(guid)", trip.path, "/share/x"]
        return base.flatMap { base in
            [base]
                + [
                    "zip", "password", "accept", "leave", "ask", "settings", "request-access", "preview/tile/AAAA.f.0",
                    "download/AAAA.f.0", "download/AAAA.f.99999999999999999999",
                ].map { "\(base)/\($0)" }
        } + [
            download, link, "/assets/\(TripFixture.container)/development/AAAA/x?e=1&s=2", "/uploads/AAAA",
            "/previews/c/development/AAAA/small",
            "/auth/signin", "/auth/signin?request=AAAA", "/auth/signin?return=%2Fshare%2Fx", "/auth/signout",
            "/auth/register", "/auth/confirm?id=x", "/auth/forgot", "/auth/reset?id=x", "/account",
            "/account/delete", "/account/download",
            "/auth/dev/session", "/static/x/y", "/.well-known/apple-app-site-association",
            "\(trip.path)?after=-9223372036854775808",
            "/share/\(guid)?after=9223372036854775807", trip.links(), trip.links("/\(guid)"),
            trip.links() + "&continuationMarker=1:AAAA&resultsLimit=-1",
        ]
    }

    @Test("Random requests to pages never get a server error", arguments: 0..<4 as Range<UInt64>)
    func pages(seed: UInt64) async throws {
        try await TripFixture.run { trip in
            try await trip.sender.makeZone("Z")
            let value = try await trip.upload(
                Data("abc".utf8), "root", "Note", "file", in: "private", zone: "Z", trip.sender)
            try await trip.sender.save(zone: "Z", "root", fields: #""file": {"value": \#(value)}"#)
            let guid = try await trip.sender.share("root", in: "Z", permission: "READ_ONLY")
            let url = try await trip.sender.lookup(zone: "Z", "root")["records.0.fields.file.value.downloadURL"]?.string
            let uploads = try await trip.sender.uploadLinks(zone: "Z")
            let paths = paths(
                trip, guid: guid, download: trip.server.path(of: try #require(url)),
                link: trip.server.path(of: uploads[0]))
            let session = try await trip.browser(of: "mei@example.com").cookie(BrowserSession.cookieName) ?? ""
            var mutator = Mutator(seed: seed + 200)
            for _ in 0..<150 {
                var path = mutator.pick(paths)
                if mutator.one(in: 4) {
                    path = path.replacing(mutator.pick([guid, TripFixture.id, "AAAA"]), with: mutator.pick(Self.ids))
                }
                if mutator.one(in: 3) { path = mutator.mutatedTarget(path) }
                path =
                    path.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: "\u{21}"..."\u{7E}"))
                    ?? "/"
                var headers: HTTPFields = [
                    .origin: mutator.pick(["http://localhost", "http://localhost", "null", "http://["])
                ]
                if mutator.one(in: 2) { headers[.cookie] = "\(BrowserSession.cookieName)=\(session)" }
                for _ in 0..<mutator.number(below: 3) {
                    let name = mutator.pick(Self.headers.keys.sorted { $0.rawName < $1.rawName })
                    headers[name] = mutator.pick(Self.headers[name] ?? [])
                }
                let method = mutator.pick([HTTPRequest.Method.get, .get, .post, .post, .put, .delete, .head])
                let body =
                    mutator.one(in: 3)
                    ? mutator.mutated(mutator.pick(Self.forms)) : Array(mutator.pick(Self.forms).utf8)
                let answer = try await trip.server.client.execute(
                    uri: path, method: method, headers: headers, body: method == .get ? nil : ByteBuffer(bytes: body))
                #expect(
                    answer.status.code < 500,
                    "\(method) \(path) \(headers) \(String(decoding: body, as: UTF8.self)): \(String(buffer: answer.body))"
                )
            }
            #expect(try await trip.server.send(.get, "/health").status == 200)
        }
    }

    @Test("Random page settings never get a server error")
    func settings() async throws {
        try await TripFixture.run { trip in
            for body in [
                #"{"expiresAt": 9223372036854775807, "deleteAfterExpiry": true}"#, #"{"expiresAt": 1e300}"#,
                #"{"items": ["\u0000"]}"#,
                #"{"items": {}}"#, "[]", "{", #"{"password": "\ud800"}"#, #"{"takenDown": "yes"}"#,
                #"{"password": "\#(String(repeating: "👨‍👩‍👧‍👦", count: 200))"}"#,
            ] {
                let answer = try await trip.settle(body)
                #expect([200, 400].contains(answer.status), "\(answer.text)")
                let page = try await trip.browser(of: "mei@example.com").open(trip.path)
                #expect(page.status == 200, "\(body)")
            }
        }
    }
}

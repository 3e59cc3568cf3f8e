import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

// The three steps of an asset (reference B §8), and what a browser would fetch.

extension CloudClient {
    private static let largestFile = 64 << 20

    /// Asks for an upload URL, sends the bytes there and returns the receipt, which goes into the record as it is.
    func upload(
        _ bytes: Data, type: String, field: String, to database: String, zone: JSON? = nil
    ) async throws -> JSON {
        var request: JSON = ["tokens": [["recordType": .string(type), "fieldName": .string(field)]]]
        if let zone { request = request.with("zoneID", zone) }
        let answer = try await post("\(database)/assets/upload", request)
        guard let url = answer.body["tokens"]?.array?.first?["url"]?.string else {
            throw Mismatch(what: "asking for an upload URL", expected: "200 with a url", got: answer.summary)
        }
        var upload = HTTPClientRequest(url: url)
        upload.method = .POST
        upload.body = .bytes(ByteBuffer(bytes: bytes))
        let response = try await http.execute(upload, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: Self.largestFile)
        guard response.status == .ok, let receipt = try JSON(parsing: Data(buffer: body))["singleFile"] else {
            throw Mismatch(what: "sending a file", expected: "200 with a receipt", got: "\(response.status)")
        }
        return receipt
    }

    /// Fetches what a link leads to, as somebody without any credentials.
    func fetch(_ url: String, accept: String = "*/*") async throws -> (status: Int, body: Data) {
        var request = HTTPClientRequest(url: url.replacingOccurrences(of: "${f}", with: "photo.jpg"))
        request.headers.add(name: "accept", value: accept)
        let response = try await http.execute(request, timeout: .seconds(60))
        let body = try await response.body.collect(upTo: Self.largestFile)
        return (Int(response.status.code), Data(buffer: body))
    }
}

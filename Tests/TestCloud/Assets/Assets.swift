package import CloudHTTP
import CloudModel
import Foundation
import NIOCore
package import Testing

/// Requests of a client about assets.
extension App {
    /// Links to upload to, one for each field.
    package func uploadLinks(
        in database: String = "private", _ fields: [String] = ["file"], type: String = "Note", zone: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let tokens = fields.map { #"{"recordType": "\#(type)", "fieldName": "\#($0)"}"# }.joined(separator: ", ")
        let zone = zone.map { #", "zoneID": {"zoneName": "\#($0)"}"# } ?? ""
        let answer = try await post(
            "\(database)/assets/upload", #"{"tokens": [\#(tokens)]\#(zone)}"#, sourceLocation: sourceLocation)
        let links = answer.column("tokens", "url").compactMap { $0?.string }
        #expect(links.count == fields.count, "\(answer.text)", sourceLocation: sourceLocation)
        return links
    }

    /// Uploads one file.
    ///
    /// - Returns: the text of what came back, to be saved as a field's value.
    package func upload(
        in database: String = "private", _ bytes: [UInt8], zone: String? = nil, headers: HTTPFields = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let link = try await uploadLinks(in: database, zone: zone, sourceLocation: sourceLocation)[0]
        let answer = try await server.send(
            .post, server.path(of: link), headers: headers, body: ByteBuffer(bytes: bytes),
            sourceLocation: sourceLocation)
        #expect(answer.status == 200, sourceLocation: sourceLocation)
        var writer = JSONWriter()
        writer.value(try #require(answer["singleFile"], sourceLocation: sourceLocation))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Uploads a file and saves it in field `file` of record `n1`.
    ///
    /// - Returns: path and query of its download URL.
    package func saveFile(
        in database: String = "private", _ bytes: [UInt8], name: String = "n1",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let value = try await upload(in: database, bytes, sourceLocation: sourceLocation)
        try await save(in: database, name, fields: #""file": {"value": \#(value)}"#, sourceLocation: sourceLocation)
        let record = try await lookup(in: database, name, sourceLocation: sourceLocation)
        let url = try #require(
            record["records.0.fields.file.value.downloadURL"]?.string, sourceLocation: sourceLocation)
        return server.path(of: url)
    }
}

/// A file a server sent.
package struct Download: Sendable {
    package let status: Int
    package let headers: HTTPFields
    package let bytes: [UInt8]
}

extension TestServer {
    /// A link without its origin.
    package func path(of link: String) -> String {
        link.range(of: "://").flatMap { link[$0.upperBound...].firstIndex(of: "/") }.map { String(link[$0...]) } ?? link
    }

    package func download(
        _ path: String, _ method: HTTPRequest.Method = .get, headers: HTTPFields = [:]
    ) async throws -> Download {
        let response = try await client.execute(uri: path, method: method, headers: headers, body: nil)
        return Download(
            status: response.status.code, headers: response.headers, bytes: Array(buffer: response.body))
    }
}

import Foundation
package import NIOCore

/// What an upload answers, and what a record's field takes.
package struct AssetReceipt: Codable, Sendable {
    let fileChecksum: String
    let size: Int
    let wrappingKey: String
    let referenceChecksum: String
    let receipt: String

    /// The field as JSON.
    package var field: String {
        get throws {
            #"{"value":\#(String(decoding: try JSONEncoder().encode(self), as: UTF8.self)),"type":"ASSETID"}"#
        }
    }
}

extension CloudSession {
    private struct UploadLinks: Decodable {
        struct Token: Decodable { let url: String }
        let tokens: [Token]
    }

    private struct Uploaded: Decodable { let singleFile: AssetReceipt }

    /// Links for `count` assets, which are each good for one upload.
    package func uploadLinks(_ count: Int, for type: String, field: String, zone: String?) async throws -> [String] {
        let token = #"{"recordType":"\#(type)","fieldName":"\#(field)"}"#
        let place = zone.map { #","zoneID":{"zoneName":"\#($0)"}"# } ?? ""
        let tokens = Array(repeating: token, count: count).joined(separator: ",")
        return try await ask(
            "\(zone == nil ? "public" : "private")/assets/upload", #"{"tokens":[\#(tokens)]\#(place)}"#,
            as: UploadLinks.self
        ).tokens.map(\.url)
    }

    package func upload(_ file: ByteBuffer, to link: String) async throws -> AssetReceipt {
        try Self.decode(Uploaded.self, from: try await caller.send(file, to: link)).singleFile
    }
}

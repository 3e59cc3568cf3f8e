package import CloudHTTP
import CloudWire
import CloudModel
import Foundation
import NIOCore
package import Testing

/// A client app: its container, its credentials, and what it sends.
package struct App: Sendable {
    package let server: TestServer
    package var container: String
    package var environment: String
    package var apiToken: String? = DevelopmentToken.text
    /// The web auth token of whoever is signed in.
    package var token: String?
    /// The user record name of whoever is signed in.
    package var user = ""
    /// This device's name for itself; nil for an app that does not say.
    package var clientID: String?

    /// The path and query of an endpoint such as `public/records/query`.
    package func target(_ endpoint: String, query: String = "") -> String {
        var items: [String] = []
        if let apiToken { items.append("ckAPIToken=\(apiToken)") }
        if let token { items.append("ckWebAuthToken=\(Self.encoded(token))") }
        if let clientID { items.append("clientId=\(clientID)") }
        if !query.isEmpty { items.append(query) }
        return "/database/1/\(container)/\(environment)/\(endpoint)?" + items.joined(separator: "&")
    }

    package static func encoded(_ token: String) -> String {
        token.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D")
    }

    package func post(
        _ endpoint: String, _ body: String, query: String = "", headers: HTTPFields = [.contentType: "text/plain"],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await server.send(
            .post, target(endpoint, query: query), headers: headers, body: ByteBuffer(string: body),
            sourceLocation: sourceLocation)
    }

    package func get(_ endpoint: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Answer {
        try await server.send(
            .get, target(endpoint), headers: [.contentType: "text/plain"], sourceLocation: sourceLocation)
    }

    /// records/modify with these operations, in a zone of the private database or in the default zone.
    package func modify(
        in database: String = "private", zone: String? = nil, _ operations: [String], options: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let zone = zone.map { #", "zoneID": {"zoneName": "\#($0)"}"# } ?? ""
        let body = #"{"operations": [\#(operations.joined(separator: ", "))]\#(zone)\#(options)}"#
        return try await post("\(database)/records/modify", body, sourceLocation: sourceLocation)
    }

    /// Writes a record whatever was there.
    ///
    /// - Returns: its change tag.
    @discardableResult
    package func save(
        in database: String = "private", zone: String? = nil, _ name: String, type: String = "Note",
        fields: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let answer = try await modify(
            in: database, zone: zone, [Operation.write("forceReplace", name, type: type, fields: fields)],
            sourceLocation: sourceLocation)
        return try #require(answer["records.0.recordChangeTag"]?.string, sourceLocation: sourceLocation)
    }

    package func lookup(
        in database: String = "private", zone: String? = nil, _ names: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let zone = zone.map { #", "zoneID": {"zoneName": "\#($0)"}"# } ?? ""
        let records = names.map { #"{"recordName": "\#($0)"}"# }.joined(separator: ", ")
        return try await post(
            "\(database)/records/lookup", #"{"records": [\#(records)]\#(zone)}"#, sourceLocation: sourceLocation)
    }

    package func makeZone(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let body = #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "\#(name)"}}}]}"#
        let answer = try await post("private/zones/modify", body, sourceLocation: sourceLocation)
        #expect(answer["zones.0.syncToken"] != nil, sourceLocation: sourceLocation)
    }

    /// Everything in a zone, or what changed in it since a token.
    package func changes(
        _ zone: String, since token: String? = nil, options: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        let token = token.map { #", "syncToken": "\#($0)""# } ?? ""
        return try await post(
            "private/records/changes", #"{"zoneID": {"zoneName": "\#(zone)"}\#(token)\#(options)}"#,
            sourceLocation: sourceLocation)
    }
}

/// The text of one operation of records/modify.
package enum Operation {
    package static func write(
        _ kind: String, _ name: String?, type: String? = "Note", tag: String? = nil, fields: String = "",
        extra: String = ""
    ) -> String {
        let members = [
            name.map { #""recordName": "\#($0)""# }, type.map { #""recordType": "\#($0)""# },
            tag.map { #""recordChangeTag": "\#($0)""# }, #""fields": {\#(fields)}"#,
        ].compactMap(\.self).joined(separator: ", ")
        return #"{"operationType": "\#(kind)", "record": {\#(members)\#(extra)}}"#
    }

    package static func delete(_ name: String, tag: String? = nil) -> String {
        let tag = tag.map { #", "recordChangeTag": "\#($0)""# } ?? ""
        let kind = tag.isEmpty ? "forceDelete" : "delete"
        return #"{"operationType": "\#(kind)", "record": {"recordName": "\#(name)"\#(tag)}}"#
    }
}

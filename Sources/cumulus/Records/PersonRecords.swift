import CloudWire
import AsyncHTTPClient
import CloudModel
import CloudOperations
import Foundation
import NIOCore
import NIOHTTP1

/// Records as seen by a user's app, over HTTP.
struct PersonRecords: RecordAccess {
    private let origin: String
    private let place: RecordsPlace
    private let token: String

    /// The size limit of answers, in bytes.
    private static let largestResponse = 64 << 20

    /// Signs a user in without a password, as development servers permit.
    init(of person: String, at origin: String, place: RecordsPlace) async throws {
        (self.origin, self.place) = (origin, place)
        let answer = try await Self.post(
            origin, "/auth/dev/session",
            .members([
                "container": .string(place.container), "environment": .string(place.environment.rawValue),
                "email": .string(person),
            ]))
        guard let token = answer["ckWebAuthToken"]?.string else {
            throw Complaint("\(origin) is no development server; --as needs one ('cumulus serve --dev')")
        }
        self.token = token
    }

    func query(_ query: JSONObject, limit: Int, after: String?) async throws -> RecordList {
        var body = ["query": JSONValue.object(query), "resultsLimit": .integer(Int64(limit))]
        if let after { body["continuationMarker"] = .string(after) }
        let answer = try await ask("records/query", body)
        return RecordList(records: answer["records"]?.array ?? [], next: answer["continuationMarker"]?.string)
    }

    func lookup(_ names: [String]) async throws -> [JSONValue] {
        let records = names.map { JSONValue.members(["recordName": .string($0)]) }
        return try await ask("records/lookup", ["records": .array(records)])["records"]?.array ?? []
    }

    func modify(_ operations: [JSONValue]) async throws -> [JSONValue] {
        try await ask("records/modify", ["operations": .array(operations)])["records"]?.array ?? []
    }

    func upload(_ file: UploadedFile, type: String, field: String) async throws -> JSONValue {
        let token = JSONValue.members(["recordType": .string(type), "fieldName": .string(field)])
        let answer = try await ask("assets/upload", ["tokens": .array([token])])
        guard let link = answer["tokens"]?.array?.first?.object?["url"]?.string else {
            throw Complaint("\(origin) gives no link to upload a file to")
        }
        return try await file.upload(to: link, at: origin)
    }

    private func ask(_ endpoint: String, _ body: [String: JSONValue]) async throws -> JSONObject {
        var body = body
        if place.zone != nil || place.owner != nil {
            var zone = ["zoneName": JSONValue.string(place.zone ?? ZoneID.defaultName)]
            if let owner = place.owner { zone["ownerRecordName"] = .string(owner) }
            body["zoneID"] = .object(zone)
        }
        let database = place.database ?? .private
        let path =
            "/database/1/\(ManagementClient.encoded(place.container))/\(place.environment.rawValue)/\(database.rawValue)/"
        let credentials = "?ckAPIToken=\(DevelopmentToken.text)&ckWebAuthToken=\(ManagementClient.encoded(token))"
        return try await Self.post(origin, path + endpoint + credentials, .object(body))
    }

    /// - Throws: ``Complaint`` with the server's reason.
    private static func post(_ origin: String, _ path: String, _ body: JSONValue) async throws -> JSONObject {
        var request = HTTPClientRequest(url: origin + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(string: body.text))
        do {
            return try await HTTPClient.withHTTPClient(configuration: ManagementClient.configuration) { client in
                let response = try await client.execute(request, timeout: .minutes(1))
                let bytes = try await response.body.collect(upTo: largestResponse)
                let answer = (try? JSONParser.parse(Array(bytes.readableBytesView)))?.object ?? JSONObject()
                guard response.status == .ok else {
                    let code = answer["serverErrorCode"]?.string.map { $0 + ": " } ?? ""
                    throw Complaint(code + (answer["reason"]?.string ?? "\(origin) answers \(response.status)"))
                }
                return answer
            }
        } catch let complaint as Complaint {
            throw complaint
        } catch {
            throw Unreachable.complaint(error, at: origin)
        }
    }
}

extension AccessOptions {
    /// The development server: named by `--server`, run by `cumulus exec`, or running on the data folder.
    func developmentOrigin() throws -> String {
        let named = server ?? ProcessInfo.processInfo.environment[ExecCommand.origin]
        if let named { return named.hasSuffix("/") ? String(named.dropLast()) : named }
        guard let origin = try LocalOperations(settings: try common.reader().settings()).origin else {
            throw Complaint(
                "--as needs a running development server; name it with --server, or start 'cumulus serve --dev'")
        }
        return origin
    }
}

import CloudModel

/// A preview's parts in the Swift client, which uses CloudKit's names.
struct SwiftPreview {
    let preview: APIPreview

    var parts: [APIPreview.Part] {
        [
            .init(title: "Connect", code: connection),
            .init(title: "Save a record", code: save),
            .init(title: "Find records", code: query),
            .init(title: "Read one", code: "let found = try await database.record(for: id)"),
            .init(title: "Delete it", code: "try await database.deleteRecord(withID: id)"),
        ]
    }

    private var zoneID: String {
        preview.spot.customZone.map { "CKRecordZone.ID(zoneName: \(APIPreview.literal($0)))" } ?? ".default"
    }

    private var connection: String {
        let place = preview.spot.place
        let token = APIPreview.literal(preview.apiToken ?? "API_TOKEN")
        let signIn =
            preview.apiToken == nil
            ? "// The page to sign in on; the URL that it leads back to goes into signIn(callback:).\nlet page = try await container.signInURL()"
            : #"try await container.signInForDevelopment(email: "me@example.com")"#
        return """
            import CumulusKit
            import Foundation

            let container = CKContainer(
                CumulusConfiguration(
                    identifier: \(APIPreview.literal(place.container)), environment: .\(place.environment.rawValue),
                    origin: \(APIPreview.literal(preview.origin)), apiToken: \(token)))
            let database = container.\(preview.spot.database.rawValue)CloudDatabase
            \(signIn)
            """
    }

    private var save: String {
        let fields = preview.fields.map { "record[\(APIPreview.literal($0.name))] = \(Self.sample($0.type))\n" }
            .joined()
        let zone = preview.spot.customZone == nil ? "" : ", zoneID: \(zoneID)"
        return """
            let id = CKRecord.ID(recordName: \(APIPreview.literal(APIPreview.recordName))\(zone))
            let record = CKRecord(recordType: \(APIPreview.literal(preview.type)), recordID: id)
            \(fields)try await database.save(record)
            """
    }

    private var query: String {
        let predicate =
            preview.filter.map { ".field(\(APIPreview.literal($0.name)), .equal, \(Self.sample($0.type)))" } ?? ".all"
        return """
            let query = CKQuery(recordType: \(APIPreview.literal(preview.type)), predicate: \(predicate))
            let page = try await database.records(matching: query, inZoneWith: \(zoneID))
            for (id, result) in page.matchResults { print(id.recordName, try result.get()) }
            """
    }

    private static func sample(_ type: FieldType) -> String {
        let one =
            switch type.kind {
            case .string, .asset: #""some text""#
            case .int64, .number: "42"
            case .double: "4.5"
            case .timestamp: "Date(timeIntervalSince1970: 1_790_000_000)"
            case .bytes: "Data([1, 2, 3])"
            case .location: "CKLocation(latitude: 38.72, longitude: -9.14)"
            case .reference: #"CKRecord.Reference(recordID: CKRecord.ID(recordName: "another"), action: .none)"#
            }
        return type.isList ? "[\(one)]" : one
    }
}

import CloudHTTP
import CloudModel

/// A preview's parts as shell commands.
struct CurlPreview {
    let preview: APIPreview

    var parts: [APIPreview.Part] {
        [
            .init(title: preview.apiToken == nil ? "Tokens" : "Sign in", code: tokens),
            .init(title: "Save a record", code: call("records/modify", save)),
            .init(title: "Find records", code: call("records/query", query)),
            .init(title: "Read one", code: call("records/lookup", Self.object(["records": .array([record])]))),
            .init(title: "Delete it", code: call("records/modify", deletion)),
        ]
    }

    private var tokens: String {
        let place = preview.spot.place
        guard let token = preview.apiToken else {
            return """
                # Made among the credentials of the settings.
                API_TOKEN='…'
                # Of the person who has signed in, percent-encoded.
                WEB_AUTH_TOKEN='…'
                """
        }
        let body = WireText.json(
            Self.object([
                "container": .string(place.container), "environment": .string(place.environment.rawValue),
                "email": .string("me@example.com"),
            ]))
        return """
            API_TOKEN=\(token)
            WEB_AUTH_TOKEN=$(curl -s \(QueryExample.quoted("\(preview.origin)/auth/dev/session")) \\
              --data-raw \(QueryExample.quoted(body)) | jq -r '.ckWebAuthToken | @uri')
            """
    }

    private func call(_ path: String, _ body: JSONValue) -> String {
        let spot = preview.spot
        let container = PercentEncoding.encode(spot.place.container)
        let address =
            "\(preview.origin)/database/1/\(container)/\(spot.place.environment.rawValue)/\(spot.database.rawValue)/\(path)"
        return """
            curl \(QueryExample.quoted(address))"?ckAPIToken=$API_TOKEN&ckWebAuthToken=$WEB_AUTH_TOKEN" \\
              --header 'Content-Type: application/json' \\
              --data-raw \(QueryExample.quoted(WireText.lines(inZone(body))))
            """
    }

    /// The body with a `zoneID`, unless the zone is the default zone.
    private func inZone(_ body: JSONValue) -> JSONValue {
        guard let zone = preview.spot.customZone, let members = body.object?.members else { return body }
        let id = JSONObject.Member(key: "zoneID", value: Self.object(["zoneName": .string(zone)]))
        return .object(JSONObject([id] + members))
    }

    private var record: JSONValue { Self.object(["recordName": .string(APIPreview.recordName)]) }

    private var save: JSONValue {
        let fields = preview.fields.map { name, type in
            WireText.field(name, Self.sample(type), type)
        }
        let record: JSONValue = Self.object([
            "recordName": .string(APIPreview.recordName), "recordType": .string(preview.type),
            "fields": .object(JSONObject(fields)),
        ])
        return operation("forceReplace", record)
    }

    private var deletion: JSONValue { operation("forceDelete", record) }

    private func operation(_ type: String, _ record: JSONValue) -> JSONValue {
        Self.object(["operations": .array([Self.object(["operationType": .string(type), "record": record])])])
    }

    private var query: JSONValue {
        var query = [JSONObject.Member(key: "recordType", value: .string(preview.type))]
        if let (name, type) = preview.filter {
            let filter: JSONValue = Self.object([
                "fieldName": .string(name), "comparator": .string(Comparator.equals.rawValue),
                "fieldValue": Self.object(["value": Self.sample(type)]),
            ])
            query.append(.init(key: "filterBy", value: .array([filter])))
        }
        return Self.object(["query": .object(JSONObject(query))])
    }

    private static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONValue {
        .object(JSONObject(members.map { JSONObject.Member(key: $0.key, value: $0.value) }))
    }

    static func sample(_ type: FieldType) -> JSONValue {
        let one: JSONValue =
            switch type.kind {
            case .string, .asset: .string("some text")
            case .int64, .number: .integer(42)
            case .double: .number(4.5)
            case .timestamp: .integer(1_790_000_000_000)
            case .bytes: .string("AQID")
            case .location: Self.object(["latitude": .number(38.72), "longitude": .number(-9.14)])
            case .reference: Self.object(["recordName": .string("another"), "action": .string("NONE")])
            }
        return type.isList ? .array([one]) : one
    }
}

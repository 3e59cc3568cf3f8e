import CloudHTTP
import CloudModel

/// A query as sent by an app: the request body, and a curl command.
struct QueryExample {
    /// The server's origin as seen by the browser.
    let origin: String
    let spot: DataSpot
    /// The query dictionary.
    let query: JSONValue
    let limit: Int64

    private var body: JSONValue {
        var members: [JSONObject.Member] = []
        if spot.zone != ZoneID.defaultName {
            let zone = [("zoneName", spot.zone), ("ownerRecordName", spot.owner)].compactMap { key, text in
                text.map { JSONObject.Member(key: key, value: .string($0)) }
            }
            members.append(.init(key: "zoneID", value: .object(JSONObject(zone))))
        }
        members += [.init(key: "query", value: query), .init(key: "resultsLimit", value: .integer(limit))]
        return .object(JSONObject(members))
    }

    var json: String { WireText.lines(body) }

    /// A curl command whose tokens are shell variables with percent-encoded values; pages never contain tokens.
    var curl: String {
        let container = PercentEncoding.encode(spot.place.container)
        let address =
            "\(origin)/database/1/\(container)/\(spot.place.environment.rawValue)/\(spot.database.rawValue)/records/query?ckAPIToken="
        let session = spot.user == nil ? "" : #""&ckWebAuthToken=$WEB_AUTH_TOKEN""#
        return """
            curl \(Self.quoted(address))"$API_TOKEN"\(session) \\
              --header 'Content-Type: application/json' \\
              --data-raw \(Self.quoted(json))
            """
    }

    /// A text quoted for a POSIX shell.
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }
}

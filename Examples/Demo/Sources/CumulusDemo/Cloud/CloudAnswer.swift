/// What came back for one request.
struct CloudAnswer {
    let status: Int
    let body: JSON
    let duration: Duration

    var records: [CloudRecord] { Self.records(body) }
    var continuationMarker: String? { body["continuationMarker"]?.string }
    var errorCode: String? { body["serverErrorCode"]?.string }
    var zones: [JSON] { body["zones"]?.array ?? [] }

    /// The records of the first zone in a changes/zone answer.
    var changes: [CloudRecord] { zones.first.map(Self.records) ?? [] }
    /// The token of the first zone in an answer.
    var zoneToken: String? { zones.first?["syncToken"]?.string }

    private static func records(_ holder: JSON) -> [CloudRecord] {
        (holder["records"]?.array ?? []).map(CloudRecord.init)
    }
}

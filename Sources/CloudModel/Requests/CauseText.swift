extension Cause {
    /// The decision's kind in logs, metrics and the admin API.
    package var kind: String {
        switch self {
        case .input: "input"
        case .address: "address"
        case .credentials: "credentials"
        case .place: "place"
        case .schema: "schema"
        case .permission: "permission"
        case .share: "share"
        case .index: "index"
        case .conflict: "conflict"
        case .missing: "missing"
        case .taken: "taken"
        case .reference: "reference"
        case .position: "position"
        case .limit: "limit"
        case .atomic: "atomic"
        case .server: "server"
        }
    }

    /// All kinds.
    package static let kinds = [
        "input", "address", "credentials", "place", "schema", "permission", "share", "index", "conflict", "missing",
        "taken", "reference", "position", "limit", "atomic", "server",
    ]

    /// A sentence for people with access to the trail.
    package var text: String {
        switch self {
        case .input: "the request is not of the form it must have"
        case .address: "the server does not answer this path, method or host"
        case .credentials(let fault): fault.text
        case .place(let fault): "the \(fault.rawValue) is not there, or not for this request"
        case .schema(let fault): fault.text
        case .permission(let check): check.text
        case .share(let fault): fault.rawValue
        case .index(let fault): fault.text
        case .conflict(let check): check.text
        case .missing(let thing): "there is no such \(thing.rawValue)"
        case .taken(let thing): "there is such a \(thing.rawValue) already"
        case .reference(let fault): fault.rawValue
        case .position(let fault): fault.rawValue
        case .limit(let reached): reached.text
        case .atomic(let culprit):
            culprit.map { "operation \($0) of the atomic batch failed" }
                ?? "another operation of the atomic batch failed"
        case .server(let trouble): trouble.rawValue
        }
    }
}

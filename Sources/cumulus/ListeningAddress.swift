/// A server's listening address.
struct ListeningAddress {
    let host: String

    init(_ host: String) { self.host = host }

    /// The host for URLs on this machine.
    var reachable: String {
        switch host {
        case "0.0.0.0", "::": "127.0.0.1"
        case let host where host.contains(":"): "[\(host)]"
        case let host: host
        }
    }
}

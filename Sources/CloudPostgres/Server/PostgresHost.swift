import CloudModel
import CloudSQL

/// One possible address of a database server.
struct PostgresHost: Hashable, Sendable, CustomStringConvertible {
    /// The host name or socket folder; nil for libpq's default.
    var name: String?
    /// The numeric IP address; nil to let libpq resolve the name.
    var address: String?
    var port: String?

    /// The hosts of a database URL, in order.
    ///
    /// - Parameter parts: the URL's parts by libpq name.
    static func all(in parts: [String: String]) -> [PostgresHost] {
        let lists = ["host", "hostaddr", "port"].map { list(parts[$0]) }
        let count = max(lists[0].count, lists[1].count, 1)
        return (0..<count).map { index in
            // A single port applies to all hosts.
            let port = lists[2].count == 1 ? lists[2].first : lists[2].dropFirst(index).first
            return PostgresHost(
                name: part(lists[0].dropFirst(index).first), address: part(lists[1].dropFirst(index).first),
                port: part(port))
        }
    }

    private static func list(_ text: String?) -> [Substring] {
        text?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    }

    private static func part(_ text: Substring?) -> String? { text.flatMap { $0.isEmpty ? nil : String($0) } }

    /// The host as written in a URL.
    var shown: String { (name ?? address ?? "") + (port.map { ":" + $0 } ?? "") }

    var description: String { shown.isEmpty ? "the local socket" : shown }

    /// libpq parameters for this host; libpq uses its default for a missing parameter.
    var parameters: [(String, String)] {
        [("host", name), ("hostaddr", address), ("port", port)].compactMap { name, value in value.map { (name, $0) } }
    }

    /// The name for DNS lookup; nil for a numeric address or a socket.
    var lookedUp: String? {
        guard address == nil, let name, !name.hasPrefix("/"), !name.hasPrefix("@") else { return nil }
        return name
    }

    /// The addresses of the host name, which may fail independently; the host itself if no lookup is needed.
    ///
    /// - Throws: ``SQLError/Kind/unusable`` when the lookup fails or times out.
    func addresses(within time: Duration) throws(SQLError) -> [PostgresHost] {
        guard let name = lookedUp else { return [self] }
        do throws(HostLookup.Failure) {
            return try HostLookup.digits(of: name, within: time).map {
                PostgresHost(name: name, address: $0, port: port)
            }
        } catch { throw SQLError(.unusable, error.description) }
    }
}

/// The history of a database, replaced by a promotion or a restore.
struct PostgresHistory: Hashable, Sendable {
    /// The system identifier shared by a cluster and its standbys.
    let system: String
    let timeline: UInt32

    /// The history as one number.
    var number: Int64 { Int64(bitPattern: SchemaName.hash("\(system):\(timeline)")) }

    /// True if a standby of the same cluster was promoted later.
    func isBefore(_ other: PostgresHistory) -> Bool { system == other.system && timeline < other.timeline }
}

/// The required abilities of a session (`target_session_attrs`).
enum SessionNeed: Hashable, Sendable {
    case anything
    /// The server is a primary.
    case primary
    /// The server is a primary that accepts writes.
    case writes

    /// Nil for settings that the store cannot use: standbys and read-only sessions.
    init?(_ text: String?, hosts: Int) {
        switch text {
        // Several hosts without a setting mean the writable host.
        case nil: self = hosts > 1 ? .writes : .anything
        case "any": self = .anything
        case "primary": self = .primary
        case "read-write": self = .writes
        default: return nil
        }
    }
}

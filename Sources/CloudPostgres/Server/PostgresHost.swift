import CloudModel
import CloudSQL

/// One address at which a database may be found.
struct PostgresHost: Hashable, Sendable, CustomStringConvertible {
    /// Its name, or the folder of its socket; nil for libpq's own.
    var name: String?
    /// In digits; nil where libpq is to look for it.
    var address: String?
    var port: String?

    /// Those that a database's URL names, in its order.
    ///
    /// - Parameter parts: of the URL, as libpq names them.
    static func all(in parts: [String: String]) -> [PostgresHost] {
        let lists = ["host", "hostaddr", "port"].map { list(parts[$0]) }
        let count = max(lists[0].count, lists[1].count, 1)
        return (0..<count).map { index in
            // One port is that of all.
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

    /// As a URL has it.
    var shown: String { (name ?? address ?? "") + (port.map { ":" + $0 } ?? "") }

    var description: String { shown.isEmpty ? "the local socket" : shown }

    /// libpq's parameters for this host alone. libpq takes its own default for a parameter that is not given.
    var parameters: [(String, String)] {
        [("host", name), ("hostaddr", address), ("port", port)].compactMap { name, value in value.map { (name, $0) } }
    }

    /// The name that has to be looked up; nil where there is nothing to look up.
    var lookedUp: String? {
        guard address == nil, let name, !name.hasPrefix("/"), !name.hasPrefix("@") else { return nil }
        return name
    }

    /// Each address that its name leads to, since each may be silent by itself; itself where there is nothing to look up.
    ///
    /// - Throws: ``SQLError/Kind/unusable`` where the name leads nowhere, or no name server tells within the time.
    func addresses(within time: Duration) throws(SQLError) -> [PostgresHost] {
        guard let name = lookedUp else { return [self] }
        do throws(HostLookup.Failure) {
            return try HostLookup.digits(of: name, within: time).map {
                PostgresHost(name: name, address: $0, port: port)
            }
        } catch { throw SQLError(.unusable, error.description) }
    }
}

/// The history that a database is in: a promotion or a restore begins another one.
struct PostgresHistory: Hashable, Sendable {
    /// The number that a cluster and its standbys share.
    let system: String
    let timeline: UInt32

    /// The same in one number.
    var number: Int64 { Int64(bitPattern: SchemaName.hash("\(system):\(timeline)")) }

    /// True if a standby of the same cluster has been promoted since.
    func isBefore(_ other: PostgresHistory) -> Bool { system == other.system && timeline < other.timeline }
}

/// What a session with a host must be able to do (`target_session_attrs`).
enum SessionNeed: Hashable, Sendable {
    case anything
    /// The server is no standby.
    case primary
    /// And it takes writes.
    case writes

    /// Nil for what no server can be served with: standbys and read-only sessions.
    init?(_ text: String?, hosts: Int) {
        switch text {
        // Who names several hosts wants the one that takes writes.
        case nil: self = hosts > 1 ? .writes : .anything
        case "any": self = .anything
        case "primary": self = .primary
        case "read-write": self = .writes
        default: return nil
        }
    }
}

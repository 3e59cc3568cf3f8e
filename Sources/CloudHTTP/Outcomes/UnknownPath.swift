package import CloudModel

/// Explains an unknown path to the caller, such as a misspelt part.
package enum UnknownPath {
    private static let longestQuote = 64

    /// The first parts of API paths.
    private static let forPrograms: Set<Substring> = [
        "database", "device", "keyvalue", "admin", "assets", "previews", "uploads", "emulator", "doctor", "aps",
        "events", "health", "ready",
    ]

    /// The answer's form at an unmatched path: a page for a browser outside the API's paths, else JSON.
    package static func kind(of request: Request) -> RouteKind {
        let parts = request.path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst()
        let isForPrograms = forPrograms.contains(parts.first ?? "") || parts.prefix(2).elementsEqual(["share", "1"])
        return request.headers.acceptPages && !isForPrograms ? .page : .wire
    }

    /// The refusal, worded for a page or for JSON.
    package static func refusal(of request: Request) -> RequestRefusal {
        if kind(of: request) == .page {
            return PageError(.notFound, key: "error.nothingHere", .address).refusal
        }
        return RequestRefusal(ServerError(.notFound, reason(request.path), .address))
    }

    /// - Parameter path: the unmatched path as received, without the query.
    package static func reason(_ path: Substring) -> Reason {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let place = place(of: parts), parts.count > place.environment else { return nothing }
        let environment = parts[place.environment]
        if ContainerEnvironment(rawValue: environment.lowercased()) == nil {
            return
                "there is no environment '\(quoted(environment))'; there are \(known: list(ContainerEnvironment.allCases))"
        }
        guard let database = place.database, parts.count > database + 1 else { return nothing }
        if DatabaseScope(rawValue: String(parts[database])) == nil {
            return "there is no database '\(quoted(parts[database]))'; there are \(known: list(DatabaseScope.allCases))"
        }
        return nothing
    }

    private static let nothing: Reason = "there is nothing at this path"

    /// The indices of the environment and the database among the parts of a path.
    private static func place(of parts: [Substring]) -> (environment: Int, database: Int?)? {
        guard parts.count > 2, parts[0].isEmpty else { return nil }
        switch (parts[1], parts[2]) {
        case ("assets", _), ("previews", _): return (3, nil)
        // Some clients omit the database here.
        case ("database", "1") where parts.count > 5 && parts[5] == "tokens": return (4, nil)
        case ("database", "1"): return (4, 5)
        case ("device", "1"), ("keyvalue", "1"), ("share", "1"), ("admin", "1"): return (4, nil)
        default: return nil
        }
    }

    private static func list<Name: RawRepresentable<String>>(_ names: [Name]) -> String {
        let names = names.map { "'\($0.rawValue)'" }
        return names.dropLast().joined(separator: ", ") + " and " + names.suffix(1).joined()
    }

    private static func quoted(_ part: Substring) -> String { String(part.prefix(longestQuote)) }
}

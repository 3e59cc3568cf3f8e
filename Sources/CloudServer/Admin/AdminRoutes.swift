import CloudModel
import HTTPTypes

/// The routes under `/admin/1/{container}/{environment}/`, for operators and their programs.
enum AdminRoutes {
    static let start = "/admin/1/{container}/{environment}/"

    /// By what stands after the environment.
    static let table: [(pattern: String, endpoints: [HTTPRequest.Method: AdminEndpoint])] = [
        ("schema", [.get: SchemaEndpoints.export, .put: SchemaEndpoints.importText]),
        ("schema/deploy", [.post: SchemaEndpoints.deploy]),
        ("schema/reset", [.post: SchemaEndpoints.reset]),
        ("schema/builds", [.get: SchemaEndpoints.builds]),
        ("roles", [.get: RoleEndpoints.list]),
        ("roles/{role}/{user}", [.put: RoleEndpoints.grant, .delete: RoleEndpoints.revoke]),
    ]

    struct Match: Sendable {
        let container: String
        let environment: ContainerEnvironment
        /// The row of the table.
        let pattern: String
        let endpoints: [HTTPRequest.Method: AdminEndpoint]
        let parameters: [String]

        /// The row as records name it.
        var name: Substring { "admin/\(pattern)" }
    }

    /// - Returns: nil for a path that is not in the table.
    static func match(_ path: Substring) -> Match? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 5, parts[0].isEmpty, parts[1] == "admin", parts[2] == "1",
            let environment = ContainerEnvironment(rawValue: parts[4].lowercased())
        else { return nil }
        let rest = parts.dropFirst(5)
        for (pattern, endpoints) in table {
            let expected = pattern.split(separator: "/")
            guard expected.count == rest.count,
                zip(expected, rest).allSatisfy({ $0.hasPrefix("{") ? !$1.isEmpty : $0 == $1 })
            else { continue }
            let parameters = zip(expected, rest).filter { $0.0.hasPrefix("{") }
                .map { PercentEncoding.decode($0.1.utf8) }
            return Match(
                container: PercentEncoding.decode(parts[3].utf8), environment: environment, pattern: pattern,
                endpoints: endpoints, parameters: parameters)
        }
        return nil
    }
}

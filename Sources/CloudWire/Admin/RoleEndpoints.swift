import CloudHTTP
import CloudModel
import CloudOperations
import CloudStore

/// `/admin/1/{container}/{environment}/roles…`: members of custom roles (reference A §12).
enum RoleEndpoints {
    /// `GET roles`: all roles, and a page of members after the user in the parameter `after`.
    static let list: AdminEndpoint = { call in
        let list = try await call.administration().roles(after: call.query["after"] ?? "")
        var writer = JSONWriter()
        list.write(to: &writer)
        return .json(writer)
    }

    /// `PUT roles/{role}/{user}`.
    static let grant: AdminEndpoint = { try await set(true, $0) }

    /// `DELETE roles/{role}/{user}`.
    static let revoke: AdminEndpoint = { try await set(false, $0) }

    private static func set(_ isGranted: Bool, _ call: AdminCall) async throws -> Response {
        let member = try await call.administration().setRole(
            call.parameters[2], of: call.parameters[3], to: isGranted)
        var writer = JSONWriter()
        member.write(to: &writer)
        return .json(writer)
    }
}

import CloudAccounts
import CloudModel

extension AccountStore {
    /// The name of a container's app, from its page rules; nil if they name none, or several.
    func appName(of container: String) async throws -> String? {
        guard let container = try await reader().container(named: container) else { return nil }
        return try await pageRules.app(container: container.id)?.name
    }

    /// The names of apps by container; containers whose app has no name are left out.
    func appNames(of containers: Set<String>) async throws -> [String: String] {
        var names: [String: String] = [:]
        for container in containers { names[container] = try await appName(of: container) }
        return names
    }
}

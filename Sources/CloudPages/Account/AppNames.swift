import CloudAccounts
import CloudModel

/// The names of containers' apps, from their page rules.
struct AppNames {
    let accounts: AccountStore

    /// The names by container, without containers whose rules name no app, or several.
    func names(of containers: Set<String>) async throws -> [String: String] {
        var names: [String: String] = [:]
        for container in containers { names[container] = try await name(of: container) }
        return names
    }

    private func name(of container: String) async throws -> String? {
        guard let container = try await accounts.reader().container(named: container) else { return nil }
        return try await accounts.pageRules.app(container: container.id)?.name
    }
}

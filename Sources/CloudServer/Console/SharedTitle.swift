import CloudModel
import CloudOperations
import CloudStore

extension ConsoleCall {
    /// The share that a request's link led to, as the operator knows it; nil for a request of another kind, and for a share
    /// that is there no more or cannot be read now. Leaves a line in the audit log.
    func share(of record: RequestRecord) async throws -> (title: String, address: String)? {
        guard let number = record.share, let name = record.container, let environment = record.environment,
            (try? operations.identity.require([.recordsRead])) != nil,
            let container = try await page.site.accounts.reader().container(named: name),
            let store = try? await page.site.stores.existing(container: container, environment: environment),
            let share = try? await store.shares(after: number - 1, limit: 1).first, share.id == number
        else { return nil }
        try await operations.noteLook(
            "looked at shares",
            ["container": .string(name), "environment": .string(environment.rawValue)])
        let place = ConsolePlace(container: name, environment: environment, containers: [])
        return (
            share.title ?? share.root ?? "all of \(share.zone.name)",
            place.address(ConsoleView.shares.path, ["after": "\(number - 1)"])
        )
    }
}

import CloudAccounts
import CloudPages
import CloudHTTP
import CloudModel
import CloudOperations
import CloudStore

extension ConsoleCall {
    /// The title and address of the share behind a request's link, with the operator's view noted in the audit log. Nil
    /// for other requests, and if the share is deleted or unreadable.
    func share(of record: RequestRecord) async throws -> (title: String, address: String)? {
        guard let number = record.share, let name = record.container, let environment = record.environment,
            (try? operations.identity.require([.recordsRead])) != nil,
            let container = try await page.site.accounts.reader().container(named: name),
            let store = try? await page.site.stores.existing(container: container, environment: environment),
            let share = try? await store.browsing.shares(after: number - 1, limit: 1).first, share.id == number
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

import CloudAccounts
import CloudPages
import CloudHTTP
import CloudModel
import CloudOperations
import CloudStore
import Foundation

/// The default container and environment of a page: the place viewed last, else the container that apps wrote to last,
/// else the container with the most records.
struct FirstPlace {
    let call: ConsoleCall

    /// The number of latest requests searched for a write.
    private static let mostRequests = 200
    /// The most containers to count records in, since counting opens their databases.
    private static let mostCounted = 20

    /// - Parameter containers: the first containers that the operator may see.
    /// - Returns: nil without containers. A nil environment means the server's default environment.
    func find(among containers: [String]) async throws -> (container: String, environment: ContainerEnvironment?)? {
        guard let first = containers.first else { return nil }
        if let last = LastPlace.read(call), try await exists(last.container, containers) {
            return (last.container, last.environment)
        }
        guard containers.count > 1 else { return (first, nil) }
        if let written, try await exists(written, containers) { return (written, nil) }
        return (try await largest(of: containers) ?? first, nil)
    }

    private func exists(_ container: String, _ containers: [String]) async throws -> Bool {
        if containers.contains(container) { return true }
        if let only = call.operations.identity.container, only != container { return false }
        return try await call.page.site.accounts.reader().container(named: container) != nil
    }

    /// The container of the newest accepted write.
    private var written: String? {
        var filter = RequestFilter()
        filter.route = "records/modify"
        filter.container = call.operations.identity.container
        let records = call.page.site.requests.records(after: nil, limit: Self.mostRequests, filter).records
        let writes = records.reversed().filter { !$0.isRefused && $0.container != nil }
        return (writes.first { $0.environment == call.firstEnvironment } ?? writes.first)?.container
    }

    private func largest(of containers: [String]) async throws -> String? {
        var largest: (container: String, records: Int64)?
        guard (try? call.operations.identity.require([.recordsRead])) != nil else { return nil }
        let (accounts, stores) = (call.page.site.accounts, call.page.site.stores)
        for container in containers.prefix(Self.mostCounted) {
            // Unused environments are not created; unreadable environments are skipped.
            guard let known = try await accounts.reader().container(named: container),
                let store = try? await stores.existing(container: known, environment: call.firstEnvironment),
                let records = try? await store.users.usage(owner: nil).records
            else { continue }
            if records > largest?.records ?? 0 { largest = (container, records) }
        }
        return largest?.container
    }
}

/// The place viewed last, kept in a browser cookie so that viewing writes nothing on the server.
enum LastPlace {
    private static let cookieName = "cumulus_place"
    private static let lifetime = 90 * 24 * 3600
    private static let longest = 400

    /// - Returns: nil without a cookie, or for a malformed cookie.
    static func read(_ call: ConsoleCall) -> (container: String, environment: ContainerEnvironment)? {
        guard let text = call.page.cookie(cookieName), text.utf8.count <= longest else { return nil }
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let environment = ContainerEnvironment(rawValue: String(parts[0])),
            let container = parts[1].removingPercentEncoding, !container.isEmpty
        else { return nil }
        return (container, environment)
    }

    /// The cookie to set; nil if the browser already has it or the container's name is too long.
    static func cookie(for place: ConsolePlace, _ call: ConsoleCall) -> Cookie? {
        let text = "\(place.environment.rawValue)/\(PercentEncoding.encode(place.container))"
        guard text.utf8.count <= longest, call.page.cookie(cookieName) != text else { return nil }
        return call.page.site.origin.cookie(
            cookieName, text, for: call.page.request, maxAge: lifetime, path: "/console", sameSite: .strict)
    }
}

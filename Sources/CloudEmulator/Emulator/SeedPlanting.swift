import CloudAccounts
import CloudModel
import CloudStore

/// Plants the lines of a seed, and caches the people's user record names.
struct SeedPlanting {
    /// A batch was refused; `index` is its first refused operation.
    struct Refused: Error {
        let index: Int
        let error: ServerError
    }

    let container: Container
    let accounts: AccountStore
    let limits: Limits
    let store: EnvironmentStore
    private var known: [String: String] = [:]

    init(container: Container, accounts: AccountStore, limits: Limits, store: EnvironmentStore) {
        self.container = container
        self.accounts = accounts
        self.limits = limits
        self.store = store
    }

    /// The user record name of a person; creates the account if none exists.
    mutating func user(_ email: String, _ names: PersonNames = PersonNames()) async throws -> String {
        if let name = known[email] { return name }
        let account =
            if let account = try await accounts.users.find(email: email) { account } else {
                try await accounts.users.create(
                    email: email, givenName: names.given, familyName: names.family)
            }
        let name = try await accounts.people.recordName(account: account.id, container: container.id)
        try await store.users.ensure(name)
        known[email] = name
        return name
    }

    mutating func makeZone(_ name: String, of owner: String) async throws {
        let user = try await user(owner)
        let zone = try DatabaseAddress.private(owner: user).zone(ZoneName(name: name, owner: nil))
        let result = try await store.zones.modify([.create(zone)], by: Requester(user: user), limits: limits)
        if case .failure(let error)? = result.first { throw error }
    }

    /// - Throws: ``Refused``, and errors about the zone or its owner.
    mutating func save(_ operations: [RecordOperation], in place: SeedLine.Place) async throws {
        let name = ZoneName(name: place.zone, owner: nil)
        let (zone, caller): (ZoneID, Caller)
        if let owner = place.owner {
            let user = try await user(owner)
            (zone, caller) = (try DatabaseAddress.private(owner: user).zone(name), .user(recordName: user))
        } else {
            zone = try DatabaseAddress.public.zone(name)
            caller = if let author = place.author { .user(recordName: try await user(author)) } else { .operator }
        }
        let result = try await store.records.modify(
            ModifyRequest(
                zone: zone, operations: operations.map { .success($0) }, atomic: zone.isCustom, caller: caller,
                growsSchema: container.justInTimeSchema, limits: limits))
        for (index, outcome) in result.outcomes.enumerated() {
            guard case .failed(_, let error) = outcome, error.code != .atomicError else { continue }
            throw Refused(index: index, error: error)
        }
    }
}

import CloudAccounts
import CloudModel

/// The database and zone of an operation on records: public, `user`'s private database, or the database shared with `user`.
struct RecordZone: Sendable {
    let place: EnvironmentPlace
    let zone: ZoneID
    let isShared: Bool
    /// The identity for store access: an operator, free of grants, in the public database; the owner in a private database; the
    /// participant in a shared database.
    let caller: Caller

    init(_ address: ZoneAddress, _ call: OperationCall) async throws {
        isShared = address.isShared
        if isShared {
            let (place, user) = try await Self.viewer(address, call)
            let owner = try await call.recordName(of: try Self.required(address.owner, "owner"), in: place.container)
            let name = ZoneName(name: try Self.required(address.zone, "zone"), owner: owner)
            (self.place, caller) = (place, .user(recordName: user))
            zone = try DatabaseAddress.shared(with: user).zone(name)
            return
        }
        let place = try await call.place(address.place)
        let name = address.zone ?? ZoneID.defaultName
        self.place = place
        if let user = address.user {
            let owner = try await call.recordName(of: user, in: place.container)
            caller = .user(recordName: owner)
            zone = try DatabaseAddress.private(owner: owner).zone(ZoneName(name: name, owner: nil))
        } else {
            caller = .operator
            zone = try DatabaseAddress.public.zone(ZoneName(name: name, owner: nil))
        }
    }

    /// The participant whose shared database the address names.
    static func viewer(
        _ address: ZoneAddress, _ call: OperationCall
    ) async throws -> (place: EnvironmentPlace, user: String) {
        let place = try await call.place(address.place)
        return (place, try await call.recordName(of: try required(address.user, "user"), in: place.container))
    }

    /// A text that the shared database requires.
    private static func required(_ text: String?, _ name: StaticString) throws(ServerError) -> String {
        guard let text, !text.isEmpty else { throw .badRequest("\(name) is missing") }
        return text
    }

    /// Whether queries with filters or sorts need index marks, as for clients.
    var isStrict: Bool {
        place.environment == .production || !place.container.justInTimeSchema || place.container.strictIndexes
    }

    func shown(_ body: RecordBody, _ call: OperationCall) throws -> JSONValue {
        .object(try call.workplace.shown(place.container, place.environment, body).json())
    }
}

extension OperationCall {
    /// Resolves a user's record name, given as such or as an email address.
    func recordName(of user: String, in container: Container) async throws -> String {
        if user.contains("@") || user.isAccountID {
            guard let account = try await accounts.users.find(named: user),
                let name = try await accounts.people.recordNames(account: account.id)
                    .first(where: { $0.container == container.name })?.recordName
            else {
                throw ServerError(
                    .notFound, "'\(Naming.shown(user))' has never been in container '\(known: container.name)'",
                    .missing(.user))
            }
            return name
        }
        guard try await accounts.people.has(user, container: container.id) else {
            throw ServerError(
                .notFound, "there is no user '\(Naming.shown(user))' in container '\(known: container.name)'",
                .missing(.user))
        }
        return user
    }
}

/// An operation of subscriptions/modify (reference B §6.5).
package enum SubscriptionOperation: Hashable, Sendable {
    /// Creates the subscription, or replaces its namesake: clients send `create` for every save.
    case create(Subscription)
    /// Replaces the subscription with this name.
    case update(Subscription)
    case delete(name: String)

    /// The refusal of a single operation; the request's other operations proceed.
    package struct Refused: Error, Hashable, Sendable {
        package let name: String
        package let error: ServerError
    }

    /// Parses an element of `operations`. A malformed operation fails the whole request; a refused subscription yields
    /// `Refused`.
    ///
    /// - Parameter newName: the name for a new subscription without a name.
    package static func parse(
        _ json: JSONValue, at index: Int, newName: String, scope: DatabaseScope, database: DatabaseAddress,
        limits: Limits
    ) throws(ServerError) -> Result<SubscriptionOperation, Refused> {
        let place = "operations[\(index)]"
        guard let object = json.object else {
            throw .badRequest("\(known: place) must be an object, not \(known: json.kind)")
        }
        guard let type = object["operationType"]?.string, ["create", "update", "delete"].contains(type) else {
            throw .badRequest("\(known: place).operationType must be 'create', 'update' or 'delete'")
        }
        guard let subscription = object["subscription"]?.object else {
            throw .badRequest("\(known: place).subscription is missing")
        }
        let given = try name(subscription, place)
        let name = given ?? newName
        do throws(ServerError) {
            if given == nil && type != "create" {
                throw .badRequest("subscriptionID is required for operationType '\(type)'")
            }
            if type == "delete" { return .success(.delete(name: name)) }
            if let fault = Naming.fault(subscriptionName: name, limit: limits.subscriptions.nameCharacters) {
                throw .badRequest(fault)
            }
            let read = try Subscription(subscription, name: name, scope: scope, database: database, limits: limits)
            return .success(type == "create" ? .create(read) : .update(read))
        } catch {
            return .failure(Refused(name: name, error: error))
        }
    }

    private static func name(_ object: JSONObject, _ place: String) throws(ServerError) -> String? {
        guard let value = object["subscriptionID"] else { return nil }
        guard let name = value.string else {
            throw .badRequest("\(known: place).subscription.subscriptionID must be a string, not \(known: value.kind)")
        }
        return name
    }
}

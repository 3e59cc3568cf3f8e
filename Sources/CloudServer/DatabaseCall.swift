package import CloudModel
package import CloudStore

/// One call of an endpoint under `/database/1`: who asks, what for, and the body, decoded once at the door.
package struct DatabaseCall: Sendable {
    package let identity: Identity
    package let scope: DatabaseScope
    package let body: JSONObject
    package let options: QueryString
    package let accounts: AccountStore
    package let limits: Limits
}

/// What an endpoint is: a call in, the JSON of a 200 answer out, or a `ServerError` thrown.
package typealias Endpoint = @Sendable (DatabaseCall) async throws -> JSONWriter

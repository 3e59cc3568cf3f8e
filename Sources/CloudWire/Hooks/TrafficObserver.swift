package import CloudHTTP
package import CloudModel

/// Observes the traffic of clients, without changing it.
package protocol TrafficObserver: AnyObject, Sendable {
    /// An observer of one call; nil while calls are not observed.
    func observer(
        of identity: Identity, _ scope: DatabaseScope, _ request: Request, _ body: JSONObject,
        _ context: CloudRequestContext
    ) -> (any CallObserver)?

    /// Notes a message for a push token.
    func noteDelivery(_ message: [UInt8], to token: String?)

    /// Notes the end of a poll without messages.
    ///
    /// - Parameter isHungUp: whether the client closed the poll.
    func noteEnd(ofPollBy token: String?, after time: Duration, isHungUp: Bool)
}

/// Observes one call of a database endpoint.
package protocol CallObserver: AnyObject, Sendable {
    func note(_ answer: JSONWriter)
    func note(_ error: any Error)
}

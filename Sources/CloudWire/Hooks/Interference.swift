package import CloudAccounts
package import CloudHTTP
package import CloudModel

/// Changes the outcomes of requests and deliveries on purpose, so that tests see how a client copes.
package protocol Interference: AnyObject, Sendable {
    /// True if a poll may be delayed.
    var isActive: Bool { get }

    /// False for almost every request, which is then answered as usual.
    func mayChange(_ request: Request) -> Bool

    /// Answers a call by `endpoint`, unless the outcome changes.
    func answer(
        _ request: Request, _ identity: Identity, _ body: JSONObject, _ context: CloudRequestContext,
        _ endpoint: (CallFault?) async throws -> Response
    ) async throws -> Response

    /// Answers an upload by `endpoint`, unless the outcome changes.
    func answer(
        _ request: Request, uploadTo token: String, _ context: CloudRequestContext,
        _ endpoint: (Request) async throws -> Response
    ) async throws -> Response

    /// The message to deliver instead of `message`; nil to continue with the next.
    func delivered(
        _ message: TokenReader.Message, to token: PushToken, by reader: TokenReader
    ) async throws -> TokenReader.Message?
}

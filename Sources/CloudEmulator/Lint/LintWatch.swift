package import CloudHTTP
package import CloudWire
package import CloudModel

/// Watches a single request.
final class LintWatch: CallObserver {
    private let lint: ClientLint
    private let clock: SettableClock
    private let name: LintedName
    private let scope: DatabaseScope
    private let body: JSONObject
    private let context: CloudRequestContext
    private let came: LintedClient.Moment

    init(
        _ emulator: Emulator, _ identity: Identity, _ scope: DatabaseScope, _ query: QueryString,
        _ body: JSONObject, _ context: CloudRequestContext
    ) {
        (lint, clock) = (emulator.lint, emulator.clock)
        let began = context.trace.began
        came = LintedClient.Moment(time: clock.now() - (ContinuousClock.now - began), instant: began)
        let clientID = query.clientID ?? body["clientId"]?.string ?? body["clientID"]?.string
        name = LintedName(identity, clientID: clientID.map { Naming.shown($0) })
        (self.scope, self.body, self.context) = (scope, body, context)
    }

    /// Notes the answer.
    func note(_ answer: JSONWriter) {
        guard let answer = (try? JSONParser.parse(answer.bytes))?.object else { return }
        note(LintedExchange(route: context.route, database: scope, body: body, answer: answer))
    }

    /// Notes a refusal.
    func note(_ error: any Error) {
        guard let refusal = error as? ServerError else { return }
        note(LintedExchange(route: context.route, database: scope, body: body, refusal: refusal))
    }

    private func note(_ exchange: LintedExchange) {
        lint.note(
            exchange, by: name, request: context.trace.id, steps: context.trace.notes.steps, came: came,
            now: LintedClient.Moment(time: clock.now(), instant: .now))
    }
}

extension EmulatorHooks {
    package func observer(
        of identity: Identity, _ scope: DatabaseScope, _ request: Request, _ body: JSONObject,
        _ context: CloudRequestContext
    ) -> (any CallObserver)? {
        guard emulator.lint.isOn, identity.environment == .development else { return nil }
        return LintWatch(emulator, identity, scope, request.parameters, body, context)
    }

    package func noteDelivery(_ message: [UInt8], to token: String?) {
        emulator.lint.noteDelivery(message, to: token)
    }

    package func noteEnd(ofPollBy token: String?, after time: Duration, isHungUp: Bool) {
        emulator.lint.noteEnd(ofPollBy: token, after: time, isHungUp: isHungUp)
    }
}

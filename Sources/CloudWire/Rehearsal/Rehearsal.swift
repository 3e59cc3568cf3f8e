package import CloudAccounts
import CloudHTTP
package import CloudModel
package import CloudOperations
package import CloudStore

/// Rehearses requests: runs their endpoint, and rolls back its writes.
package struct Rehearsal: Sendable {
    private let services: CallServices
    private let origin: String

    package init(accounts: AccountStore, stores: ContainerStores, limits: Limits, links: AssetLinks, origin: String) {
        // None of the rehearsed endpoints uses push.
        services = CallServices(
            accounts: accounts, stores: stores, limits: limits, links: links, pushLifetime: .zero)
        self.origin = origin
    }

    package func run(_ request: RehearsedRequest) async throws -> RehearsalInfo {
        let trace = RequestTrace()
        let store = try await services.stores.store(container: request.container, environment: request.environment)
        let client = ReadClient(name: "rehearsal", trace: trace)
        let (status, bytes) = try await ReadClient.$current.withValue(client) {
            try await DryRun.$isOn.withValue(true) { try await respond(request, store, trace) }
        }
        let notes = trace.notes
        return RehearsalInfo(
            status: status, answer: try JSONParser.parse(bytes), verdict: Self.verdict(notes),
            isRefused: notes.refusal != nil || notes.failed > 0, trail: Self.trail(notes),
            operations: notes.operations.map(RehearsalInfo.Outcome.init))
    }

    private func respond(
        _ request: RehearsedRequest, _ store: EnvironmentStore, _ trace: RequestTrace
    ) async throws -> (status: Int, bytes: [UInt8]) {
        do {
            try admit(request, trace)
            let writer = try await Self.endpoint(request.operation).answer(call(request, store, trace))
            if trace.notes.failed == 0 { trace.note(writer.refusals.enumerated().map(OperationRecord.init)) }
            return (200, writer.bytes)
        } catch {
            guard case .refused(let refusal) = Outcome(error) else { throw error }
            refusal.note(in: trace)
            var writer = JSONWriter(capacity: 256)
            writer.object { $0.refusal(refusal) }
            return (Int((refusal.status ?? refusal.error.code.status).code), writer.bytes)
        }
    }

    /// Refuses a caller whose credentials do not admit them to the database, exactly as a real request is refused.
    private func admit(_ request: RehearsedRequest, _ trace: RequestTrace) throws {
        switch request.caller {
        case .world:
            guard request.scope == .public else { throw Authenticator.signInNeeded }
        case .serverKey:
            guard request.scope == .public else { throw Authenticator.keyOutsidePublic }
            trace.note(.credentials(.serverKey))
        case .user: trace.note(.credentials(.session))
        case .operator: break
        }
        trace.note(
            .place(
                container: request.container.name, environment: request.environment, database: request.scope))
    }

    private func call(
        _ request: RehearsedRequest, _ store: EnvironmentStore, _ trace: RequestTrace
    ) -> DatabaseCall {
        DatabaseCall(
            identity: Identity(
                container: request.container, environment: request.environment, caller: request.caller, apiToken: nil),
            scope: request.scope, body: request.body, options: QueryString(""), store: store, services: services,
            origin: origin, allowance: ResponseAllowance(limit: services.limits.responseBytes), trace: trace)
    }

    private static func endpoint(_ operation: RehearsedRequest.Operation) -> DatabaseEndpoint {
        switch operation {
        case .modify: .write(RecordEndpoints.modify)
        case .query: .read(RecordEndpoints.query)
        case .lookup: .read(RecordEndpoints.lookup)
        }
    }

    private static func verdict(_ notes: RequestTrace.Notes) -> String {
        if let refusal = notes.refusal {
            let code = refusal.code?.rawValue ?? ""
            return "Would be refused: \(code), because \(refusal.cause.text)."
        }
        guard notes.failed > 0 else { return "Would be answered." }
        let first = notes.operations.first { $0.cause != nil && $0.code != .atomicError }
        let cause = first?.cause.map { ", because \($0.text)" } ?? ""
        return notes.failed == 1 && notes.succeeded == 0
            ? "Would be refused: \(first?.code?.rawValue ?? "")\(cause)."
            : "\(notes.failed) of \(notes.failed + notes.succeeded) operations would be refused: "
                + "\(first?.code?.rawValue ?? "")\(cause)."
    }

    private static func trail(_ notes: RequestTrace.Notes) -> [RehearsalInfo.Step] {
        let passed = notes.steps.map {
            RehearsalInfo.Step(step: $0.kind, outcome: "passed", text: $0.text)
        }
        let stops = [notes.refusal?.cause].compactMap(\.self) + notes.operations.compactMap(\.cause)
        var seen: Set<String> = []
        return passed
            + stops.filter { seen.insert($0.text).inserted }.map {
                RehearsalInfo.Step(step: $0.kind, outcome: "stopped", text: $0.text)
            }
    }
}

import CloudModel
import CloudSQL

extension StoredEnvironment {
    package func modify(_ request: ModifyKeyValuesRequest) async throws -> ModifyKeyValuesResult {
        let requester = Requester(user: request.user, clientID: request.clientID)
        let context = WriteContext(requester, now: now(), limits: request.limits)
        let run = ModifyKeyValues(request: request, tokens: tokens)
        return try await writes.write(for: context) { try run.run($0) }
    }

    package func keyValueChanges(_ request: KeyValueChangesRequest) async throws -> KeyValuePage {
        let tokens = tokens
        return try await reads.read { db in try request.run(db, tokens: tokens) }
    }

    package func keyValues(user: String) async throws -> KeyValues {
        let tokens = tokens
        return try await reads.read { db in try KeyValues.all(user: user, tokens: tokens, db) }
    }
}

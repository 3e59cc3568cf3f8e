import CloudModel
import GRDB

extension SQLiteRecordStore {
    package func modify(_ request: ModifyKeyValuesRequest) async throws -> ModifyKeyValuesResult {
        let requester = Requester(user: request.user, clientID: request.clientID)
        let occasion = Occasion(requester, now: now(), limits: request.limits)
        let run = ModifyKeyValues(request: request, tokens: tokens, occasion: occasion)
        return try await writes.write { try run.run($0) }
    }

    package func keyValueChanges(_ request: KeyValueChangesRequest) async throws -> KeyValuePage {
        let tokens = tokens
        return try await reads.read { db, _ in try request.run(db, tokens: tokens) }
    }

    package func keyValues(user: String) async throws -> KeyValues {
        let tokens = tokens
        return try await reads.read { db, _ in try KeyValues.all(user: user, tokens: tokens, db) }
    }
}

extension CKDatabase {
    /// Fetches the server's record for each conflict, since the answer omits it.
    ///
    /// - Parameter wasRepeated: whether an earlier attempt may have succeeded. Its own write is then no conflict.
    func explainConflicts(
        _ results: [Result<CKRecord?, any Error>], of operations: [RecordOperation], wasRepeated: Bool
    ) async throws -> [Result<CKRecord?, any Error>] {
        let conflicts = results.indices.filter { index in
            guard case .failure(let error as CKError) = results[index] else { return false }
            return error.code == .serverRecordChanged
        }
        guard !conflicts.isEmpty else { return results }
        let servers = try await records(for: conflicts.map { operations[$0].id })
        var results = results
        for index in conflicts {
            guard case .failure(let error as CKError) = results[index] else { continue }
            let operation = operations[index]
            results[index] = Result {
                guard let server = try servers[operation.id]?.get() else { throw CKError.unexpected("a record") }
                guard case .save(let record, let sent) = operation.kind else {
                    throw error.with(server: server, client: nil, ancestor: nil)
                }
                if wasRepeated, operation.isDone(on: server) {
                    record.saved(as: server, sent: sent)
                    return record
                }
                throw error.with(server: server, client: record, ancestor: record.ancestor())
            }
        }
        return results
    }
}

extension CKError {
    func with(server: CKRecord, client: CKRecord?, ancestor: CKRecord?) -> CKError {
        var error = self
        error.serverRecord = server
        error.clientRecord = client
        error.ancestorRecord = ancestor
        return error
    }
}

extension CKRecord {
    /// The record as last fetched or saved; without fields unless fetched whole.
    func ancestor() -> CKRecord? {
        var state = state.withLock { $0 }
        guard state.system.changeTag != nil else { return nil }
        state.fields = state.ancestor ?? [:]
        state.changed = []
        return CKRecord(recordType: recordType, recordID: recordID, state: state)
    }
}

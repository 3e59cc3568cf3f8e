import CloudModel
import CloudOperations

/// Access to a zone's records for an authorized caller.
protocol RecordAccess: Sendable {
    /// A page of query results.
    func query(_ query: JSONObject, limit: Int, after: String?) async throws -> RecordList
    /// Looks up records by name; each result may be an error.
    func lookup(_ names: [String]) async throws -> [JSONValue]
    /// The results of operations in the client API's form.
    func modify(_ operations: [JSONValue]) async throws -> [JSONValue]
    /// Uploads a file for a record field.
    ///
    /// - Returns: the value to save.
    func upload(_ file: UploadedFile, type: String, field: String) async throws -> JSONValue
}

/// Record access as an operator.
struct OperatorRecords: RecordAccess {
    let operations: any UploadingOperations
    let place: RecordsPlace

    func query(_ query: JSONObject, limit: Int, after: String?) async throws -> RecordList {
        try await operations.run(
            RecordOperations.query,
            try place.operatorArguments([
                "query": .object(query), "resultsLimit": .integer(Int64(limit)), "continuationMarker": .text(after),
            ]))
    }

    func lookup(_ names: [String]) async throws -> [JSONValue] {
        var records: [JSONValue] = []
        for name in names {
            let arguments = try place.operatorArguments(["recordName": .string(name)])
            records.append(try await operations.run(RecordOperations.show, arguments).record)
        }
        return records
    }

    func modify(_ operations: [JSONValue]) async throws -> [JSONValue] {
        try await self.operations.run(
            RecordOperations.modify, try place.operatorArguments(["operations": .array(operations)])
        ).records
    }

    func upload(_ file: UploadedFile, type: String, field: String) async throws -> JSONValue {
        try await operations.upload(file, try place.operatorArguments([:]))
    }
}

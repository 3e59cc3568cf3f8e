import CloudModel
import Testing

/// The conflict table (reference A §4.2).
struct VerdictTests {
    static let exists = Verdict.refuse(ServerError(.conflict, "record to insert already exists", .taken(.record)))
    static let oplock = Verdict.refuse(ServerError(.conflict, "client oplock error updating record", .taken(.record)))
    static let missing = Verdict.refuse(
        ServerError(.notFound, "recordChangeTag specified, but record not found", .missing(.record)))

    @Test(
        "The operation, the stored change tag and the sent one decide the verdict",
        arguments: [
            (OperationType.create, nil, nil, Verdict.insert),
            (.create, "1", nil, exists),
            (.create, "1", "1", exists),
            (.update, "1", "1", .overwrite),
            (.update, "1", "2", oplock),
            (.update, nil, "1", missing),
            (.forceUpdate, nil, nil, .insert),
            (.forceUpdate, "1", "2", .overwrite),
            (.replace, "1", "1", .overwrite),
            (.replace, "1", "2", oplock),
            (.replace, nil, "1", missing),
            (.forceReplace, nil, "2", .insert),
            (.forceReplace, "1", nil, .overwrite),
            (.delete, "1", "1", .delete),
            (
                .delete, "1", "2",
                .refuse(ServerError(.conflict, "client oplock error deleting record", .taken(.record)))
            ),
            (.delete, nil, "1", .refuse(ServerError(.notFound, "Record not found", .missing(.record)))),
            (.forceDelete, "1", nil, .delete),
            (.forceDelete, nil, nil, .nothing),
        ] as [(OperationType, String?, String?, Verdict)])
    func verdicts(operation: OperationType, stored: String?, sent: String?, expected: Verdict) {
        #expect(operation.verdict(stored: stored, sent: sent) == expected)
    }

    @Test(
        "Update, replace and delete without a change tag are refused",
        arguments: [OperationType.update, .replace, .delete])
    func changeTag(operation: OperationType) {
        #expect(
            operation.verdict(stored: "1", sent: nil)
                == .refuse(.badRequest("recordChangeTag is required for operationType '\(operation.rawValue)'")))
    }
}

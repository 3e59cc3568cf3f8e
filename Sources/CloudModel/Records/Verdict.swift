/// The type of an operation (reference A §4.2).
package enum OperationType: String, CaseIterable, Hashable, Sendable {
    case create, update, forceUpdate, replace, forceReplace, delete, forceDelete

    package var isDelete: Bool { self == .delete || self == .forceDelete }
    /// True if the operation clears unnamed fields.
    package var clearsUnnamedFields: Bool { self == .replace || self == .forceReplace }
    package var needsChangeTag: Bool { self == .update || self == .replace || self == .delete }
}

/// The action for an operation, given the stored record.
package enum Verdict: Hashable, Sendable {
    case insert
    case overwrite
    case delete
    /// Deleting an absent record succeeds without effect.
    case nothing
    case refuse(ServerError)
}

extension OperationType {
    /// The conflict rule (reference A §4.2), given the stored change tag (nil: no such record) and the client's tag.
    package func verdict(stored: String?, sent: String?) -> Verdict {
        if needsChangeTag && sent == nil {
            return .refuse(.badRequest("recordChangeTag is required for operationType '\(known: rawValue)'"))
        }
        switch (self, stored) {
        case (.create, nil), (.forceUpdate, nil), (.forceReplace, nil): return .insert
        case (.create, _?):
            return .refuse(
                ServerError(
                    .conflict, "record to insert already exists", .conflict(ConflictCheck(sent: sent, stored: stored))))
        case (.forceUpdate, _?), (.forceReplace, _?): return .overwrite
        case (.update, nil), (.replace, nil):
            return .refuse(
                ServerError(
                    .notFound, "recordChangeTag specified, but record not found",
                    .conflict(ConflictCheck(sent: sent, stored: nil))))
        case (.update, let tag?), (.replace, let tag?):
            return tag == sent
                ? .overwrite
                : .refuse(
                    ServerError(
                        .conflict, "client oplock error updating record",
                        .conflict(ConflictCheck(sent: sent, stored: tag))))
        case (.delete, nil): return .refuse(ServerError(.notFound, "Record not found", .missing(.record)))
        case (.delete, let tag?):
            return tag == sent
                ? .delete
                : .refuse(
                    ServerError(
                        .conflict, "client oplock error deleting record",
                        .conflict(ConflictCheck(sent: sent, stored: tag))))
        case (.forceDelete, nil): return .nothing
        case (.forceDelete, _?): return .delete
        }
    }
}

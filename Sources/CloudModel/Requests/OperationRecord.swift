/// The result of a single operation in a request.
package struct OperationRecord: Hashable, Sendable {
    package let index: Int
    /// The record's name and type, if the server knows them; arbitrary client text in refused operations.
    package let recordName: String?
    package let recordType: String?
    /// Nil for a successful operation.
    package let code: ServerError.Code?
    /// The sentence, with "…" in place of client-supplied text until ``recorded(withValues:)``.
    package let reason: String?
    package let cause: Cause?
    /// The sentence for the client, cut after 1,000 characters.
    private let told: String?

    /// A successful operation.
    package init(index: Int, recordName: String?, recordType: String?) {
        self.index = index
        self.recordName = recordName
        self.recordType = recordType
        (code, reason, cause, told) = (nil, nil, nil, nil)
    }

    /// A refused operation.
    package init(index: Int, _ error: ServerError) {
        self.index = index
        var names: (name: String?, type: String?) = (nil, nil)
        switch error.cause {
        case .conflict(let check): names = (check.recordName, check.recordType)
        case .permission(let check): names = (nil, check.recordType)
        default: break
        }
        (recordName, recordType) = names
        code = error.code
        reason = error.sentence.plain
        cause = error.cause
        told = error.sentence.told
    }

    /// The form for log records.
    ///
    /// - Parameter values: whether the record may contain client data.
    package func recorded(withValues values: Bool) -> OperationRecord {
        OperationRecord(
            index: index, recordName: recordName, recordType: recordType, code: code, reason: values ? told : reason,
            cause: cause, told: nil)
    }

    private init(
        index: Int, recordName: String?, recordType: String?, code: ServerError.Code?, reason: String?, cause: Cause?,
        told: String?
    ) {
        self.index = index
        self.recordName = recordName
        self.recordType = recordType
        self.code = code
        self.reason = reason
        self.cause = cause
        self.told = told
    }
}

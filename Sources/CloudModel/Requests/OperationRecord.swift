/// The outcome of one operation of a request.
package struct OperationRecord: Hashable, Sendable {
    package let index: Int
    /// The record's name and type, where the server knows them; those of a refused operation may be any text.
    package let recordName: String?
    package let recordType: String?
    /// Nil for an operation that succeeded.
    package let code: ServerError.Code?
    package let reason: String?
    package let cause: Cause?

    /// An operation that succeeded.
    package init(index: Int, recordName: String?, recordType: String?) {
        self.index = index
        self.recordName = recordName
        self.recordType = recordType
        (code, reason, cause) = (nil, nil, nil)
    }

    /// An operation that was refused.
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
    }
}

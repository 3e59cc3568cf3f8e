package import CloudModel

extension JSONWriter {
    /// Writes the members of an operation's error, and collects the error.
    package mutating func errorMembers(_ error: ServerError) {
        refusals.append(error)
        member("reason", error.reason)
        member("serverErrorCode", error.code.rawValue)
        if let seconds = error.retryAfter { member("retryAfter", Int64(seconds)) }
        if let time = error.restoredTo { member("restoredTo", time.milliseconds) }
    }
}

import CloudModel

extension ShareState.Identifiers {
    /// An id as the original's are.
    static let newParticipant: @Sendable () -> String = { RandomUUID.make(.names).uppercased() }
}

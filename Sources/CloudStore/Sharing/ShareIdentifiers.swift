import CloudModel

extension ShareState.Identifiers {
    /// An id in the form of CloudKit's: an upper-case UUID.
    static let newParticipant: @Sendable () -> String = { RandomUUID.make(.names).uppercased() }
}

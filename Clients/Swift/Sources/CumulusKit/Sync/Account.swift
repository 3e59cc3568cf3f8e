extension CKSyncEngine {
    /// Matches the state with the signed-in user before any change is sent.
    ///
    /// - Throws: `notAuthenticated` without a signed-in user.
    func settleAccount() async throws {
        let previous = state.serialization.user
        do {
            let current = try await database.container.userRecordID()
            guard previous != current.recordName else { return }
            guard let previous else {
                state.content.withLock { $0.user = current.recordName }
                return await deliver(.accountChange(.signIn(currentUser: current)))
            }
            let dropped = forget(user: current.recordName)
            await deliver(
                .accountChange(
                    .switchAccounts(
                        previousUser: CKRecord.ID(recordName: previous), currentUser: current, dropped: dropped)))
            await deliverState()
        } catch let error as CKError where error.code == .notAuthenticated {
            // An expired session does not count as sign-out: the same user may sign in again.
            if let previous, try database.container.wire.session.current().webAuthToken == nil {
                let dropped = forget(user: nil)
                await deliver(
                    .accountChange(.signOut(previousUser: CKRecord.ID(recordName: previous), dropped: dropped)))
                await deliverState()
            }
            throw error
        }
    }

    /// Discards the state and pending changes: none of a user's data may reach another user's database.
    private func forget(user: String?) -> [PendingRecordZoneChange] {
        state.content.withLock { content in
            let dropped = content.pending.all.map(\.change)
            content = State.Serialization(
                container: content.container, environment: content.environment, scope: content.scope, user: user)
            return dropped
        }
    }
}

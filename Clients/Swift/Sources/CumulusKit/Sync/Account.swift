extension CKSyncEngine {
    /// Sees to it that the state is of the person who is signed in, before anything of theirs is sent.
    ///
    /// - Throws: `notAuthenticated` where there is nobody.
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
            // A session that ended by itself is no sign-out: the same person may come back.
            if let previous, try database.container.wire.session.current().webAuthToken == nil {
                let dropped = forget(user: nil)
                await deliver(
                    .accountChange(.signOut(previousUser: CKRecord.ID(recordName: previous), dropped: dropped)))
                await deliverState()
            }
            throw error
        }
    }

    /// Nothing of one person must reach another's database.
    private func forget(user: String?) -> [PendingRecordZoneChange] {
        state.content.withLock { content in
            let dropped = content.pending.all.map(\.change)
            content = State.Serialization(
                container: content.container, environment: content.environment, scope: content.scope, user: user)
            return dropped
        }
    }
}

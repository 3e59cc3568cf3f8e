/// The store of one environment, with a part for each feature.
///
/// Methods take and return model values. Client errors are `ServerError`s. Writes return after their commit is on disk.
/// A copy of the store or of a part keeps the environment open.
package struct EnvironmentStore: Sendable {
    package let stored: StoredEnvironment

    package init(stored: StoredEnvironment) { self.stored = stored }

    package var records: RecordStore { RecordStore(stored: stored) }
    package var queries: QueryStore { QueryStore(stored: stored) }
    package var changes: ChangeStore { ChangeStore(stored: stored) }
    package var zones: ZoneStore { ZoneStore(stored: stored) }
    package var shares: ShareStore { ShareStore(stored: stored) }
    package var users: UserStore { UserStore(stored: stored) }
    package var roles: RoleStore { RoleStore(stored: stored) }
    package var assets: UploadStore { UploadStore(stored: stored) }
    package var sharePages: SharePageStore { SharePageStore(stored: stored) }
    package var pageSettings: PageSettingsStore { PageSettingsStore(stored: stored) }
    package var subscriptions: SubscriptionStore { SubscriptionStore(stored: stored) }
    package var notifications: NotificationStore { NotificationStore(stored: stored) }
    package var devices: DeviceStore { DeviceStore(stored: stored) }
    package var keyValues: KeyValueStore { KeyValueStore(stored: stored) }
    package var schema: SchemaStore { SchemaStore(stored: stored) }
    package var browsing: BrowseStore { BrowseStore(stored: stored) }

    /// Runs `body` with all its reads of this environment in one snapshot.
    ///
    /// Holds a connection until the end, so `body` must not wait long.
    package func inOneSnapshot<T: Sendable>(_ body: @Sendable () async throws -> T) async throws -> T {
        try await stored.reads.inOneSnapshot(body)
    }

    /// Closes the files. No call may follow.
    package func close() async throws { try await stored.close() }
}

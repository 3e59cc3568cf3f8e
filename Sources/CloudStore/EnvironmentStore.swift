/// The store of one environment, with a protocol per feature.
///
/// Methods take and return model values. Client errors are `ServerError`s. Writes return after their commit is on disk.
package protocol EnvironmentStore: RecordStore, ZoneStore, ShareStore, UserStore, UploadStore, SharePageStore,
    PageSettingsStore, SubscriptionStore, NotificationStore, DeviceStore, KeyValueStore, SchemaStore, RoleStore,
    BrowseStore, PersonStore
{
    /// Closes the files. No call may follow.
    func close() async throws
}

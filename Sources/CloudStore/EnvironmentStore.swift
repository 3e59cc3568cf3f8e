/// One environment of a container, as the server knows it: a protocol for each feature.
///
/// Everything is in terms of the model; what is behind it does not show. Errors that are a caller's to fix are
/// `ServerError`s. A write that returns is on disk.
package protocol EnvironmentStore: RecordStore, ZoneStore, ShareStore, UserStore, UploadStore, SharePageStore,
    PageSettingsStore, SubscriptionStore, NotificationStore, DeviceStore, KeyValueStore, SchemaStore, RoleStore,
    BrowseStore, PersonStore
{
    /// Lets go of the files. No call may follow.
    func close() async throws
}

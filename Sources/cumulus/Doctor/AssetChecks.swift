import CloudAssets
import CloudEngine

/// Checks that the asset storage accepts, returns and deletes assets.
struct AssetChecks {
    let settings: Settings
    let folder: DataFolder

    func run() async -> [Finding] {
        do {
            try await folder.assets.tryOut()
            return [.ok("assets", "\(folder.assets.place) takes, gives back and deletes contents")]
        } catch {
            let remedy =
                settings.assets.url?.hasPrefix("s3:") == true
                ? "look at the bucket, its access key, 'assets.endpoint', 'assets.region' and 'assets.pathStyle'"
                : "see that the folder is there, on its disk, and the user's own"
            return [.fail("assets", "\(error)", remedy)]
        }
    }
}

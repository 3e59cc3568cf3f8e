import CloudServer

/// What the program has been told, whatever it was told by.
struct Settings: Sendable {
    /// The data folder.
    var data = "./data"
    /// Whether `--dev` may listen beyond this machine.
    var devAllowRemote = false
    var assets = AssetSettings()
    var server = ServerConfiguration()
}

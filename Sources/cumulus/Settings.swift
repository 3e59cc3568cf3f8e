import CloudModel
import CloudServer

/// The settings of the program, from whatever source.
struct Settings: Sendable {
    /// The data folder.
    var data = "./data"
    /// True if metrics may be read from beyond this machine.
    var metricsAllowRemote = false
    var logFormat = LogFormat.text
    var database = DatabaseSettings()
    var assets = AssetSettings()
    var backup = BackupSettings()
    var server = ServerConfiguration()

    init() {
        server.rates = .standard
        server.limits.quotas.user = .standard
    }
}

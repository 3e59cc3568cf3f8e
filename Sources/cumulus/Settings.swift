import CloudHTTP
import CloudServer
import CloudModel

/// The program's settings from all sources.
struct Settings: Sendable {
    /// The data folder.
    var data = "./data"
    /// True to serve metrics to other machines.
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

import CloudHTTP
import CloudWire
import CloudServer

/// The message printed when the server has started.
struct Welcome {
    let configuration: ServerConfiguration
    let port: Int
    let data: String

    var text: String {
        let origin = configuration.publicURL ?? "http://\(ListeningAddress(configuration.host).reachable):\(port)"
        guard configuration.dev else {
            let console = configuration.hasConsole ? " Operators sign in at \(origin)/console." : ""
            return "Cumulus is serving \(origin), with data in \(data)." + console
        }
        let container = "iCloud.com.example.app"
        let zones = "\(origin)/database/1/\(container)/development/public/zones/list"
        let person = #"{"container":"\#(container)","environment":"development","email":"me@example.com"}"#
        return """
            Cumulus is serving \(origin) for development, with data in \(data).

              Console    \(origin)/console
              API token  \(DevelopmentToken.text)
              Try        curl '\(zones)?ckAPIToken=\(DevelopmentToken.text)'
              Sign in    curl \(origin)/auth/dev/session -d '\(person)'

            """
    }
}

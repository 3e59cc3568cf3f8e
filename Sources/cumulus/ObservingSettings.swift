import CloudHTTP
import CloudServer
import Configuration

extension SettingsTable {
    static let loggedRequests = Setting(
        name: "log.requests",
        purpose: "Requests that get a log line: all, refused, slow or none; all with 'dev' where it is not set.",
        type: .string,
        text: { $0.server.requests.logged(dev: $0.server.dev).rawValue },
        take: { content, settings throws(Setting.Unfit) in
            settings.server.requests.logged = try Setting.choice(content)
        })

    static let metricsAddress = Setting(
        name: "metrics.address",
        purpose: "Address to read metrics at, such as 127.0.0.1:9464; none without one.", type: .string,
        text: { $0.server.metricsAddress?.text ?? "" },
        take: { content, settings throws(Setting.Unfit) in
            settings.server.metricsAddress = try Setting.address(content, "127.0.0.1:9464")
        })

    static let tlsAddress = Setting(
        name: "tls.address",
        purpose: "Address to listen at for HTTPS, such as 0.0.0.0:443, beside host and port; none without one.",
        type: .string,
        text: { $0.server.tls.address?.text ?? "" },
        take: { content, settings throws(Setting.Unfit) in
            settings.server.tls.address = try Setting.address(content, "0.0.0.0:443")
        })
}

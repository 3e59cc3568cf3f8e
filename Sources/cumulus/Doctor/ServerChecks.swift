import CloudAccounts
import CloudEngine
import CloudHTTP
import CloudServer
import CloudWire
import CloudModel
import Foundation

/// Checks that a server runs, is healthy and has this version, and how requests to the public URL reach it.
struct ServerChecks {
    let settings: Settings
    let folder: DataFolder
    let accounts: AccountStore

    func run() async -> [Finding] {
        guard let server = RunningServer(on: folder) else {
            return [
                .warn(
                    "server", "none is running on \(folder.place), so its public URL was not looked at",
                    "start it and run the command again")
            ]
        }
        var findings = [await health(server)]
        guard let url = settings.server.publicURL else { return findings }
        do {
            let token = try ProbeToken(accounts).make(accounts.now())
            guard let report = try await RouteReport.fetch(from: url, token: token) else {
                return findings + [unknown(url)]
            }
            findings += RouteChecks(settings: settings, url: url, report: report).run()
        } catch {
            findings.append(
                .fail(
                    "publicUrl", Unreachable.complaint(error, at: url).description,
                    "see that its name leads to the proxy, and that the proxy runs and leads to \(server.origin)"))
        }
        return findings
    }

    private func unknown(_ url: String) -> Finding {
        .fail(
            "publicUrl", "\(url) is answered by something else than this server",
            "see that the proxy passes all paths on to this server, with 'Authorization' and without a prefix")
    }

    private func health(_ server: RunningServer) async -> Finding {
        let origin = server.origin
        do {
            let health = try await Health.ask(origin)
            guard health.troubles == nil else {
                return .fail("server", "\(origin) is not healthy: \(health.troubles ?? "")", "mend what it names")
            }
            let version = try await server.withClient(for: nil, name: "doctor", accounts) { try await $0.version() }
            if let version, version != ProgramVersion.text {
                return .warn(
                    "server", "\(origin) is version \(version), and this command \(ProgramVersion.text)",
                    "restart the server, or run the command of its version")
            }
            return .ok("server", "\(origin) is well")
        } catch {
            return .fail("server", Complaint(error).description, "look at its log, and restart it")
        }
    }
}

/// Checks that a proxy passes requests and answers unchanged.
struct RouteChecks {
    let settings: Settings
    let url: String
    let report: RouteReport

    /// The minimum interval between the answer's beginning and end, by which buffering is detected.
    private static let leastGap = Duration.milliseconds(500)

    func run() -> [Finding] { [path, host, address, buffering] }

    private var path: Finding {
        guard report.target != RouteReport.target else {
            return .ok("path", "\(url) passes path and query on as they are")
        }
        return .fail(
            "path", "\(url) turns \(RouteReport.target) into \(report.target), so signed requests are refused",
            "have the proxy neither decode nor merge: in nginx 'proxy_pass' without a path, and 'merge_slashes off'")
    }

    private var host: Finding {
        let parts = URLComponents(string: url)
        let meant = [parts?.host ?? ""] + (parts?.port.map { ["\($0)"] } ?? [])
        guard report.host.lowercased() != meant.joined(separator: ":").lowercased() else {
            return .ok("host", "\(url) passes the host on")
        }
        return .warn(
            "host", "\(url) passes on the host '\(report.host)'",
            "have the proxy keep it: in nginx 'proxy_set_header Host $host', with $http_host for a port")
    }

    private var address: Finding {
        if !settings.server.trustForwardedFor {
            // Without a proxy the server also sees this command's own header.
            return Loopback.contains(report.address) && !Loopback.contains(URLComponents(string: url)?.host ?? "")
                ? .fail(
                    "address", "all clients come from \(report.address), the proxy's, and are counted as one",
                    "have the proxy add X-Forwarded-For, and set 'trustForwardedFor'")
                : .ok("address", "clients come from addresses of their own")
        }
        guard report.address == RouteReport.claimed else {
            return .ok("address", "the proxy adds the client's address, here \(report.address)")
        }
        return .fail(
            "address", "a client may claim any address: \(url) passes X-Forwarded-For on as it is",
            "have the proxy set the header: in nginx 'proxy_set_header X-Forwarded-For $remote_addr'")
    }

    private var buffering: Finding {
        guard report.gap < Self.leastGap else { return .ok("buffering", "\(url) passes answers on as they come") }
        return .warn(
            "buffering", "\(url) gathers answers before it passes them on, so events come late or never",
            "turn that off: in nginx 'proxy_buffering off'")
    }
}

import CloudAccounts
import CloudWire
import CloudHTTP
import CloudPages
import CloudServer
import CloudAssets
import CloudIdentity
import CloudModel
import Foundation

/// Checks for conflicts between settings that are valid individually.
struct SettingsChecks {
    let settings: Settings

    func run() -> [Finding] {
        let found = [
            development, proxy, publicURL, plainHTTP, ports, redirect, backups, mail, sessions, credentials, passkeys,
        ].compactMap(\.self)
        return found.isEmpty ? [.ok("settings", "they go together")] : found
    }

    private var isRemote: Bool { !Loopback.contains(settings.server.host) }

    private var development: Finding? {
        guard settings.server.dev, isRemote || settings.server.publicURL != nil else { return nil }
        return .fail(
            "dev", "the development server lets anybody in, and others can reach it",
            "turn 'dev' off; containers and tokens are made with 'cumulus container create' and 'cumulus token create'")
    }

    private var proxy: Finding? {
        guard settings.server.trustForwardedFor, isRemote else { return nil }
        return .warn(
            "trustForwardedFor",
            "addresses in X-Forwarded-For are believed, and \(settings.server.host) can be reached without the proxy",
            "see that only the proxy reaches port \(settings.server.port), or set 'host' to an address that only it reaches"
        )
    }

    private var publicURL: Finding? {
        guard settings.server.publicURL == nil, isRemote || settings.server.trustForwardedFor else { return nil }
        return .warn(
            "publicUrl", "it is not set, so links are made from whatever name a client calls the server by",
            "set 'publicUrl' to the origin that clients use, such as https://cloud.example.com")
    }

    private var plainHTTP: Finding? {
        guard let text = settings.server.publicURL, let url = URLComponents(string: text), url.scheme == "http",
            let host = url.host, !Loopback.contains(host)
        else { return nil }
        return .warn(
            "publicUrl", "\(text) is not https, so passwords and tokens go over the network as they are",
            "put a proxy that ends TLS in front, and set 'publicUrl' to its origin")
    }

    private var ports: Finding? {
        guard let metrics = settings.server.metricsAddress, metrics.port == settings.server.port, metrics.port != 0
        else { return nil }
        return .fail(
            "metrics.address", "it has the port of the server itself, \(metrics.port)",
            "name another port for one of them")
    }

    private var redirect: Finding? {
        guard settings.assets.redirect, settings.assets.url?.hasPrefix("s3:") != true else { return nil }
        return .warn(
            "assets.redirect", "it is set and assets are in no S3 store, so nothing is redirected",
            "set 'assets.url' to s3://bucket/prefix, or leave 'assets.redirect' out")
    }

    private var backups: Finding? {
        guard let place = settings.backup.to, !place.hasPrefix("s3:") else { return nil }
        let path = place.hasPrefix("file://") ? String(place.dropFirst("file://".count)) : place
        let (target, data) = (Self.normalized(path), Self.normalized(settings.data))
        guard target == data || target.hasPrefix(data + "/") else { return nil }
        return .fail(
            "backup.to", "\(place) is in the data folder, and is lost with it",
            "name a folder of another disk, or a bucket")
    }

    private var mail: Finding? {
        let registration = settings.server.registration
        if !settings.server.dev, settings.server.publicURL == nil,
            registration.isOpen || registration.mailCommand != nil
        {
            return .fail(
                "publicUrl", "it is not set, so no mail is sent", "set 'publicUrl' to the origin that clients use")
        }
        if Outbox.leavesOutRecipients(of: registration.mailCommand) {
            return .warn(
                "registration.mailCommand", "the recipient is given as an argument, so '-t' is left out of the command",
                "leave '-t' out of 'registration.mailCommand', as in /usr/sbin/sendmail -i")
        }
        if settings.server.registration.mailFrom != nil, settings.server.registration.mailCommand == nil {
            return .warn(
                "registration.mailFrom", "it is set and no program sends mail, so messages stay in data/outbox",
                "set 'registration.mailCommand', for example to /usr/sbin/sendmail -i")
        }
        guard settings.server.registration.isOpen, settings.server.registration.mailCommand == nil,
            settings.server.publicURL != nil
        else { return nil }
        return .warn(
            "registration.isOpen", "people may register, and the messages they wait for stay in data/outbox",
            "set 'registration.mailCommand', for example to /usr/sbin/sendmail -i")
    }

    private var passkeys: Finding? {
        let server = settings.server
        guard server.publicURL != nil else { return nil }
        do throws(RelyingParty.Fault) {
            _ = try server.passkeys.relyingParty(publicURL: server.publicURL)
            return nil
        } catch {
            return .warn(
                "signIn.passkeys.relyingParty", "\(error.rawValue), so there are no passkeys",
                "set 'publicUrl' to an https origin with a domain name, and this to its host or leave it out")
        }
    }

    private var sessions: Finding? {
        let lifetimes = settings.server.sessionLifetimes
        guard lifetimes.persistent < lifetimes.ordinary else { return nil }
        return .warn(
            "session.persistentLifetime", "whoever asks to stay signed in is signed out earlier than others",
            "set it to more than 'session.lifetime'")
    }

    /// Credential files readable by other users.
    private var credentials: Finding? {
        let files = [settings.assets.bucket.credentialsFile, settings.backup.bucket.credentialsFile].compactMap(\.self)
        let open = files.first { path in
            let mode = (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
            return (mode ?? 0) & 0o077 != 0
        }
        return open.map {
            .warn("credentials", "other users of this machine can read the access key in \($0)", "chmod go= \($0)")
        }
    }

    private static func normalized(_ path: String) -> String {
        let path = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path()
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

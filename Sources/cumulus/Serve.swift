import CloudAccounts
import CloudEngine
import CloudWire
import CloudEmulator
import CloudHTTP
import CloudIdentity
import CloudServer
import CloudPages
import ArgumentParser
import CloudModel
import CloudStore
import Configuration
import Foundation
import Logging

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server.",
        discussion: "Everything else that can be set is listed, with its value, by 'cumulus settings'.")

    @OptionGroup var common: CommonOptions
    @Option(help: "Address to listen at. (default: 127.0.0.1)") var host: String?
    @Option(help: "Port to listen at; 0 takes any free one. (default: 8080)") var port: Int?
    @Option(help: ArgumentHelp("Origin clients reach the server by.", valueName: "url")) var publicUrl: String?
    @Flag(help: "For tests: requests create containers, a fixed API token works, sign-in needs no password.")
    var dev = false
    @Flag(help: "Let --dev listen beyond this machine.") var devAllowRemote = false

    func run() async throws {
        do { try await serve(try common.reader(with: options)) } catch { throw Complaint(error) }
    }

    private func serve(_ reader: SettingsReader) async throws {
        let settings = try reader.settings()
        try Self.refuseRemoteDevelopment(settings)
        try Self.refuseProfile(settings)
        try Self.refuseRemoteMetrics(settings)
        try Self.refuseNamelessTLS(settings)
        let clock = settings.server.clock
        let now: Now = settings.server.dev ? { @Sendable in clock.now() } : Timestamp.now
        let folder = try settings.dataFolder(now: now)
        let lock = try await Self.lock(folder)
        defer {
            // Best effort: a stale address in the lock file is harmless.
            try? lock.note("")
            lock.release()
        }
        try FreePort.check(host: settings.server.host, port: settings.server.port)
        // Commands wait until the note contains the address.
        try lock.note("")
        let loose = LooseFiles(in: folder)
        let accounts = try AccountStore(folder: folder, sessionLifetimes: settings.server.sessionLifetimes)
        let logger = settings.logFormat.logger(level: settings.server.logLevel)
        loose.tell(logger)
        try await Self.checkPasskeys(settings, accounts, logger)
        if let fault = try await WaysInCheck(settings: settings, accounts: accounts).fault() {
            logger.warning("\(fault.text)", metadata: ["remedy": "\(fault.remedy ?? "")"])
        }
        let openFiles = OpenFiles.raiseLimit()
        if openFiles < OpenFiles.enough {
            logger.warning(
                "at most \(openFiles) files and connections may be open; ten thousand waiting clients need \(OpenFiles.enough)"
            )
        }
        var configuration = settings.server
        configuration.descriptors = openFiles
        configuration.backups = try settings.backupSchedule()
        configuration.settings = try reader.infos()
        configuration.onListening = { [logger] port in
            // Commands that find the folder locked read this note; without the address they time out with a message.
            let origin = "http://\(ListeningAddress(settings.server.host).reachable):\(port)"
            do { try lock.note(RunningServer.note(origin: origin, isDevelopment: settings.server.dev)) } catch {
                logger.error("commands cannot be told where the server listens", metadata: ["error": "\(error)"])
            }
            print(Welcome(configuration: settings.server, port: port, data: settings.place).text)
            fflush(nil)
            ServiceManager.tellReady()
        }
        try await buildApplication(
            configuration: configuration,
            pages: PageFiles(
                PublicFiles(folder: configuration.publicFolder), texts: configuration.texts, apps: configuration.apps),
            folder: folder, accounts: accounts, logger: logger
        ).runUntilSignal()
    }

    /// The given options, keyed by setting name.
    private var options: [String: ConfigContent] {
        var options: [String: ConfigContent] = [:]
        if let host { options["host"] = .string(host) }
        if let port { options["port"] = .int(port) }
        if let publicUrl { options["publicUrl"] = .string(publicUrl) }
        if dev { options["dev"] = .bool(true) }
        if devAllowRemote { options["devAllowRemote"] = .bool(true) }
        return options
    }

    /// Takes the lock, waiting up to ten seconds for a command; does not wait for another server.
    private static func lock(_ folder: DataFolder) async throws -> FileLock {
        for _ in 0..<100 {
            do {
                let lock = try FileLock(path: folder.lockFile, wait: false)
                if try folder.claim(alone: false) { return lock }
            } catch is FileLock.Held {
                guard FileLock.note(at: folder.lockFile) == LocalOperations.commandNote else {
                    throw Complaint(
                        "another server is running on \(folder.path); stop it first, or name another --data folder")
                }
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw Complaint(
            "a command is working on \(folder.place), or a server of an earlier version; start the server when it is done"
        )
    }

    private static func refuseRemoteDevelopment(_ settings: Settings) throws {
        let hosts = [settings.server.host] + [settings.server.tls.address?.host].compactMap(\.self)
        guard settings.server.dev, !settings.server.devAllowsRemote,
            let host = hosts.first(where: { !Loopback.contains($0) })
        else { return }
        throw Complaint(
            "--dev lets anybody in, so it listens on this machine only, and \(host) is beyond it; "
                + "add --dev-allow-remote if that is meant")
    }
}

extension Serve {
    fileprivate static func refuseProfile(_ settings: Settings) throws {
        guard !settings.server.dev, settings.server.rateProfile != .none else { return }
        throw Complaint("emulator.profile is for servers with --dev; set rate.user and the other rates instead")
    }

    /// The server's links need a name known to clients.
    fileprivate static func refuseNamelessTLS(_ settings: Settings) throws {
        guard settings.server.tls.address != nil, settings.server.publicURL?.hasPrefix("https://") != true else {
            return
        }
        throw Complaint("tls.address needs publicUrl, the origin of the certificate such as https://cloud.example.com")
    }

    fileprivate static func refuseRemoteMetrics(_ settings: Settings) throws {
        guard let address = settings.server.metricsAddress, !settings.metricsAllowRemote,
            !Loopback.contains(address.host)
        else { return }
        throw Complaint(
            "metrics.address is for this machine only, since metrics ask nobody who they are, and \(address.host) is "
                + "beyond it; set metrics.allowRemote if that is meant")
    }
}

extension Serve {
    /// Another domain makes every passkey useless, and nobody would notice before they are needed.
    fileprivate static func checkPasskeys(
        _ settings: Settings, _ accounts: AccountStore, _ logger: Logger
    ) async throws {
        guard !settings.server.dev, settings.server.publicURL != nil else { return }
        let passkeys = settings.server.passkeys
        let party: RelyingParty?
        do throws(RelyingParty.Fault) {
            party = try passkeys.relyingParty(publicURL: settings.server.publicURL)
        } catch {
            guard passkeys.relyingParty == nil, passkeys.origins == nil else {
                throw Complaint("signIn.passkeys cannot be used: \(error.rawValue)")
            }
            logger.notice("there are no passkeys: \(error.rawValue)")
            party = nil
        }
        guard !passkeys.allowsOthers, let others = try await accounts.passkeys.others(than: party?.id ?? "") else {
            return
        }
        throw Complaint(
            "\(others.count) passkeys are for '\(others.relyingParty)' and useless on '\(party?.id ?? "no domain")'; "
                + "set publicUrl or signIn.passkeys.relyingParty as before, or signIn.passkeys.allowOthers if that is meant"
        )
    }
}

extension LooseFiles {
    private static let most = 5

    fileprivate func tell(_ logger: Logger) {
        if !closed.isEmpty {
            logger.warning(
                "files that other users of this machine could read are closed to them now",
                metadata: ["files": "\(closed.count)", "first": "\(closed.prefix(Self.most).joined(separator: ", "))"])
        }
        if !refused.isEmpty {
            logger.warning(
                "other users of this machine can read files, and that cannot be changed: they belong to another user",
                metadata: [
                    "files": "\(refused.count)", "first": "\(refused.prefix(Self.most).joined(separator: ", "))",
                ])
        }
    }
}

/// Addresses reachable only from this machine.
enum Loopback {
    static func contains(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
        return host.lowercased() == "localhost" || host == "::1" || isIPv4 && numbers[0] == "127"
    }
}

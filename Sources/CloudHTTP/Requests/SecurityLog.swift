package import CloudModel
import Foundation
package import Logging
import Synchronization

/// Logs security events for operators at the default log level: refused credentials, lock-outs, changes by admins.
///
/// Lines carry `log=security`. They name accounts, addresses and containers, and never a password, a token, a link or
/// other typed text. Lines per address, event and minute are limited; the next line counts the omitted lines.
package struct SecurityLog: Sendable {
    package enum Event: String, Sendable {
        case signInFailed = "sign-in failed"
        case wrongManagementToken = "wrong management token"
        case wrongAPIToken = "wrong API token"
        case wrongSignature = "wrong server-to-server signature"
        case wrongPagePassword = "wrong page password"
        case wrongCode = "wrong code"
        case passkeyRefused = "passkey refused"
        case passkeyChange = "passkey change"
        case wrongConsoleCode = "wrong console code"
        case providerRefused = "sign-in at a provider refused"
        case providerNotice = "notice of a provider"
        case providerSignOut = "signed out by a provider"
        case operatorSignedIn = "operator signed in"
        case lockOut = "locked out"
        case adminChange = "admin change"
        case untrustedForwardedFor =
            "X-Forwarded-For is ignored, so all clients of a proxy count as one; set trustForwardedFor if it is yours"
        case unreadableForwardedFor =
            "X-Forwarded-For ends with no address, so the client counts as the proxy; have the proxy add addresses"
    }

    private let count: @Sendable (Event) -> Void

    /// The most lines per minute for one address and event.
    private static let linesPerAddress = 20

    private let logger: Logger
    private let lines: AttemptLimiter
    private let forwardedFor: AttemptLimiter
    private let leftOut = LeftOut()

    private final class LeftOut: Sendable {
        let count = Mutex(0)
    }

    /// - Parameter count: called for every event, including omitted ones.
    package init(
        _ logger: Logger, now: @escaping Now, count: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.count = count
        self.logger = logger
        lines = AttemptLimiter(attempts: Self.linesPerAddress, window: .seconds(60), now: now)
        forwardedFor = AttemptLimiter(attempts: 1, window: .seconds(3600), now: now)
    }

    /// Writes a line, unless the address has reached its limit of lines.
    ///
    /// - Parameter details: the line's metadata; nil values are left out.
    package func note(_ event: Event, from client: ClientAddress?, _ details: KeyValuePairs<String, String?> = [:]) {
        count(event)
        // Changes by an operator's own programs are always logged.
        if event != .adminChange, lines.take("\(client?.text ?? "") \(event.rawValue)") != nil {
            return leftOut.count.withLock { $0 += 1 }
        }
        write(event, from: client, details)
    }

    /// Warns, once an hour, that an untrusted `X-Forwarded-For` header is ignored.
    package func noteUntrustedForwardedFor() {
        guard forwardedFor.take("") == nil else { return }
        write(.untrustedForwardedFor, from: nil, [:])
    }

    /// Warns, once an hour, that a trusted proxy sent no readable address.
    package func noteUnreadableForwardedFor(_ entry: String) {
        guard forwardedFor.take("unreadable") == nil else { return }
        write(.unreadableForwardedFor, from: nil, ["entry": entry])
    }

    private func write(_ event: Event, from client: ClientAddress?, _ details: KeyValuePairs<String, String?>) {
        var metadata: Logger.Metadata = ["log": "security"]
        metadata["address"] = (client?.text).map { "\($0)" }
        for (name, value) in details { metadata[name] = value.map { "\(Self.plain($0))" } }
        let count = leftOut.count.withLock { count in
            defer { count = 0 }
            return count
        }
        if count > 0 { metadata["leftOut"] = "\(count)" }
        let isWarning = [.lockOut, .untrustedForwardedFor, .unreadableForwardedFor].contains(event)
        logger.log(level: isWarning ? .warning : .notice, "\(event.rawValue)", metadata: metadata)
    }

    /// A client's text without line breaks.
    private static func plain(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(200).map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }
}

extension SecurityLog.Event {
    /// Authentication failures, with their metric labels.
    static let failures: [SecurityLog.Event: String] = [
        .signInFailed: "password", .wrongManagementToken: "management_token", .wrongAPIToken: "api_token",
        .wrongSignature: "signature", .wrongPagePassword: "page_password", .wrongCode: "code",
        .wrongConsoleCode: "console_code", .providerRefused: "provider",
        .passkeyRefused: "passkey",
        .lockOut: "lock_out",
    ]
}

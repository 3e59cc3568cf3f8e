import Logging
import NIOCertificateReloading
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// HTTPS at an address of its own, beside the plain one, which commands on this machine use.
package struct TLSSettings: Sendable {
    package var address: HostAndPort?
    /// The path of a file in PEM: the server's certificate, then those it was issued with.
    package var certificate: String?
    /// The path of the certificate's private key in PEM.
    package var key: String?
}

/// A certificate in files, which are read again every ten seconds: whoever renews it need not tell the server.
struct TLSCertificate: Sendable {
    private static let interval = Duration.seconds(10)

    /// The ciphers of TLS 1.2: those with forward secrecy and authenticated encryption, as all of TLS 1.3 have.
    private static let ciphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    let context: NIOSSLContext
    /// Reads the files again.
    let reloading: any Service

    /// A fault in the settings or the files, in a sentence.
    struct Fault: Error, CustomStringConvertible { let description: String }

    /// - Throws: a ``Fault``.
    init(_ settings: TLSSettings, _ logger: Logger) throws {
        let (certificate, key) = try (
            Self.path(settings.certificate, "tls.certificate"), Self.path(settings.key, "tls.key")
        )
        let news = News(certificate, logger)
        var configuration = TimedCertificateReloader.Configuration(
            refreshInterval: Self.interval,
            certificateSource: .init(location: .file(path: certificate), format: .pem),
            privateKeySource: .init(location: .file(path: key), format: .pem))
        configuration.onCertificateLoaded = {
            news.read(isNew: $0.previousCertificateChain != $0.currentCertificateChain)
        }
        configuration.onCertificateLoadFailed = { news.failed("\($0.error)") }
        do {
            let reloader = try TimedCertificateReloader.makeReloaderValidatingSources(configuration: configuration)
            var tls = try TLSConfiguration.makeServerConfiguration(certificateReloader: reloader)
            tls.minimumTLSVersion = .tlsv12
            tls.cipherSuiteValues = Self.ciphers
            tls.shutdownTimeout = .seconds(2)
            tls.applicationProtocols = ["h2", "http/1.1"]
            context = try NIOSSLContext(configuration: tls)
            reloading = reloader
        } catch {
            throw Fault(description: "tls.certificate and tls.key cannot be used: \(error)")
        }
    }

    private static func path(_ text: String?, _ setting: String) throws -> String {
        guard let text, !text.isEmpty else {
            throw Fault(description: "tls.address needs \(setting), the path of a file in PEM")
        }
        return text
    }
}

extension TLSCertificate {
    /// Logs what reading the files again has brought: a new certificate, and each fault once.
    private final class News: Sendable {
        private let path: String
        private let logger: Logger
        /// Nil until the files have been read once: whoever starts the server is told of a fault by an error.
        private let fault = Mutex<String?>(nil)

        init(_ path: String, _ logger: Logger) {
            self.path = path
            self.logger = logger
        }

        func read(isNew: Bool) {
            fault.withLock { $0 = "" }
            if isNew { logger.info("the certificate for TLS was read from \(path)") }
        }

        func failed(_ text: String) {
            let isKnown = fault.withLock { fault in
                defer { if fault != nil { fault = text } }
                return fault == nil || fault == text
            }
            if isKnown { return }
            logger.error(
                "the certificate for TLS cannot be read; the one before stays in use", metadata: ["error": "\(text)"])
        }
    }
}

package import Logging
import NIOCore
package import NIOSSL
import ServiceLifecycle
import Synchronization

/// Settings for HTTPS at its own address. The plain address stays for commands on this machine.
package struct TLSSettings: Sendable {
    package var address: HostAndPort?
    /// Path of the certificate chain in PEM, server certificate first.
    package var certificate: String?
    /// Path of the private key in PEM.
    package var key: String?
}

/// A TLS certificate in files, reread every ten seconds: a renewed certificate needs no restart.
package final class TLSCertificate: Service {
    private static let interval = Duration.seconds(10)

    /// TLS 1.2 ciphers with forward secrecy and authenticated encryption, properties of all TLS 1.3 ciphers.
    private static let ciphers: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private struct Loaded {
        var bytes: CertificateFiles.Bytes
        var context: NIOSSLContext
    }

    private let files: CertificateFiles
    private let loaded: Mutex<Loaded>
    private let logger: Logger

    /// The certificate for new connections.
    package var context: NIOSSLContext { loaded.withLock(\.context) }

    /// A fault in settings or files, as a sentence.
    package struct Fault: Error, CustomStringConvertible { package let description: String }

    /// - Throws: ``Fault``.
    package init(_ settings: TLSSettings, _ logger: Logger) throws {
        files = CertificateFiles(
            certificate: try Self.path(settings.certificate, "tls.certificate"),
            key: try Self.path(settings.key, "tls.key"))
        do {
            let bytes = try files.read()
            loaded = Mutex(Loaded(bytes: bytes, context: try Self.context(files.configuration(of: bytes))))
        } catch {
            throw Fault(description: "tls.certificate and tls.key cannot be used: \(error)")
        }
        self.logger = logger
        tell()
    }

    private static func path(_ text: String?, _ setting: String) throws -> String {
        guard let text, !text.isEmpty else {
            throw Fault(description: "tls.address needs \(setting), the path of a file in PEM")
        }
        return text
    }

    private static func context(_ configuration: TLSConfiguration) throws -> NIOSSLContext {
        var configuration = configuration
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = ciphers
        configuration.shutdownTimeout = .seconds(2)
        configuration.applicationProtocols = ["h2", "http/1.1"]
        do { return try NIOSSLContext(configuration: configuration) } catch NIOSSLError.failedToLoadPrivateKey {
            throw Fault(description: "the key is not that of the certificate")
        }
    }

    package func run() async throws {
        let job = PeriodicJob(
            every: Self.interval, failure: "the certificate for TLS cannot be read; the one before stays in use",
            level: .error, logger: logger)
        await cancelWhenGracefulShutdown { await job.run { try self.renew() } }
    }

    /// Reloads changed files.
    private func renew() throws {
        let bytes = try files.read()
        guard bytes != loaded.withLock(\.bytes) else { return }
        let context = try Self.context(files.configuration(of: bytes))
        loaded.withLock { $0 = Loaded(bytes: bytes, context: context) }
        tell()
    }

    private func tell() { logger.info("the certificate for TLS was read from \(files.certificate)") }
}

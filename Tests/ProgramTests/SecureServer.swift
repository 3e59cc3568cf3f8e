import Foundation
import TestProcess
import Testing

/// A program that serves HTTPS at a port of its own, with a certificate for localhost of its own.
struct SecureServer {
    let program: Program
    let port: Int
    /// The port of plain HTTP.
    let plainPort: Int
    private let certificate: String
    private let key: String

    init() async throws {
        program = try Program()
        port = try FreePorts.one()
        plainPort = try FreePorts.one()
        certificate = program.folder.appending(path: "cert.pem").path()
        key = program.folder.appending(path: "key.pem").path()
        // RSA, since with it a client could agree on ciphers without forward secrecy.
        let made = try await program.bash(
            """
            openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=DNS:localhost -keyout '\(key)' -out '\(certificate)' 2>&1
            """)
        try #require(made.status == 0, "\(made.output)")
    }

    /// Starts a development server, and waits until it is there over HTTPS too.
    func start(_ environment: [String: String] = [:]) async throws -> RunningServer {
        let own = [
            "CUMULUS_TLS_ADDRESS": "127.0.0.1:\(port)", "CUMULUS_TLS_CERTIFICATE": certificate, "CUMULUS_TLS_KEY": key,
            "CUMULUS_PUBLIC_URL": "https://localhost:\(port)",
        ]
        let server = try await RunningServer(
            program, "--dev", environment: own.merging(environment) { $1 }, port: plainPort)
        let ready = try await program.bash(
            "for _ in $(seq 600); do curl -sk -o /dev/null https://localhost:\(port)/health && exit; sleep 0.1; done; exit 1"
        )
        try #require(ready.status == 0)
        return server
    }
}

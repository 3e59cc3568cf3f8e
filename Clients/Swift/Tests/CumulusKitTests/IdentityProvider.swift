import CumulusKit
import CumulusKitTesting
import Foundation

/// A provider of sign-in on the loopback: Python serves its documents, and OpenSSL signs its tokens.
final class IdentityProvider: Sendable {
    static let client = "com.example.app"

    let issuer: String
    private let folder: URL
    private let process: Process

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// - Parameter folder: exists, and belongs to the provider.
    init(in folder: URL) async throws {
        self.folder = folder
        let site = folder.appending(path: "site")
        try FileManager.default.createDirectory(
            at: site.appending(path: ".well-known"), withIntermediateDirectories: true)
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", site.path,
        ]
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        let port = try await Task.detached { try Self.port(in: output.fileHandleForReading) }.value
        issuer = "http://127.0.0.1:\(port)"
        _ = try Self.run("openssl", ["genrsa", "-out", key.path, "2048"])
        let modulus = try Self.run("openssl", ["rsa", "-in", key.path, "-noout", "-modulus"])
        let digits = String(decoding: modulus, as: UTF8.self).split(separator: "=").last ?? ""
        try write(
            [
                "issuer": issuer, "authorization_endpoint": issuer + "/authorize", "token_endpoint": issuer + "/token",
                "jwks_uri": issuer + "/keys", "response_types_supported": ["code"],
            ], ".well-known/openid-configuration")
        let jwk = ["kty": "RSA", "kid": "key", "use": "sig", "n": Self.base64(Self.bytes(digits)), "e": "AQAB"]
        try write(["keys": [jwk]], "keys")
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    private var key: URL { folder.appending(path: "key.pem") }

    /// An identity token for a nonce.
    func token(nonce: String, subject: String = "mei", for client: String = client) throws -> Data {
        let now = Int(Date().timeIntervalSince1970)
        let claims: [String: Any] = [
            "iss": issuer, "aud": client, "sub": subject, "iat": now, "exp": now + 300, "nonce": nonce,
        ]
        let parts = try [["alg": "RS256", "kid": "key"], claims].map {
            Self.base64(try JSONSerialization.data(withJSONObject: $0))
        }
        let text = Data(parts.joined(separator: ".").utf8)
        let signature = try Self.run("openssl", ["dgst", "-sha256", "-sign", key.path], input: text)
        return text + Data(".\(Self.base64(signature))".utf8)
    }

    /// Has the server of a data folder know the provider.
    func add(as name: String, to data: URL) throws {
        let program = ProcessInfo.processInfo.environment[CumulusServer.programVariable] ?? ""
        _ = try Self.run(
            program,
            [
                "provider", "add", name, "--kind", "oidc", "--issuer", issuer, "--client-id", Self.client, "--title",
                "Example", "--allows-http", "on", "--secret-file", "-", "--data", data.path,
            ], input: Data("secret".utf8))
    }

    private func write(_ object: [String: Any], _ name: String) throws {
        try JSONSerialization.data(withJSONObject: object).write(to: folder.appending(path: "site/" + name))
    }

    private static func run(_ program: String, _ arguments: [String], input: Data = Data()) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("CUMULUS_") }
        let (fed, told) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (fed, told)
        process.standardError = FileHandle.nullDevice
        try process.run()
        try fed.fileHandleForWriting.write(contentsOf: input)
        try fed.fileHandleForWriting.close()
        let output = told.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program) \(arguments.first ?? "") ended with \(process.terminationStatus).")
        }
        return output
    }

    private static func port(in output: FileHandle) throws -> String {
        var text = ""
        while true {
            let data = output.availableData
            text += String(decoding: data, as: UTF8.self)
            if let found = text.firstMatch(of: #/ port ([0-9]+) /#) { return String(found.output.1) }
            if data.isEmpty { throw Failure(description: "Python ended before it listened: \(text)") }
        }
    }

    private static func bytes(_ hex: Substring) -> Data {
        let digits = hex.compactMap(\.hexDigitValue)
        return Data(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
    }

    private static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

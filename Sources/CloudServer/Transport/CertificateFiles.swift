import Foundation
import NIOSSL

/// Paths of a certificate and its private key.
struct CertificateFiles: Sendable {
    /// Path of the certificate chain in PEM, server certificate first.
    let certificate: String
    /// Path of the private key in PEM.
    let key: String

    struct Bytes: Hashable {
        let certificate: [UInt8]
        let key: [UInt8]
    }

    func read() throws -> Bytes { Bytes(certificate: try Self.bytes(certificate), key: try Self.bytes(key)) }

    func configuration(of bytes: Bytes) throws -> TLSConfiguration {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(bytes.certificate), !chain.isEmpty else {
            throw TLSCertificate.Fault(description: "\(certificate) holds no certificate in PEM")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: bytes.key, format: .pem) else {
            throw TLSCertificate.Fault(description: "\(key) holds no private key in PEM without a passphrase")
        }
        return .makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        do { return Array(try Data(contentsOf: URL(filePath: path))) } catch {
            let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
            let reason = code.map { String(cString: strerror($0)) } ?? error.localizedDescription
            throw TLSCertificate.Fault(description: "\(path) cannot be read: \(reason)")
        }
    }
}

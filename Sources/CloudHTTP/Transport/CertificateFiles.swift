import Foundation
package import NIOSSL

/// Paths of a certificate and its private key.
package struct CertificateFiles: Sendable {
    /// Path of the certificate chain in PEM, server certificate first.
    package let certificate: String
    /// Path of the private key in PEM.
    package let key: String

    package struct Bytes: Hashable {
        package let certificate: [UInt8]
        package let key: [UInt8]
    }

    package func read() throws -> Bytes { Bytes(certificate: try Self.bytes(certificate), key: try Self.bytes(key)) }

    package func configuration(of bytes: Bytes) throws -> TLSConfiguration {
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

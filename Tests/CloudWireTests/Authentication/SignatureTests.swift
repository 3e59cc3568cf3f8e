@testable import CloudHTTP
import CloudAccounts
import CloudWire
import TestCloud
import CloudModel
import CloudCrypto
import Foundation
import Testing

/// Server-to-server requests (reference B §4), with the vectors of §4.7.
struct SignatureTests {
    static let container = "iCloud.com.example.app"
    static let date = "2016-01-25T22:15:43Z"
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE+nUwVAm20VfsRIO4xGDaVc8Ov7xy
        Bn2wDdUpdhH/EPlYThOS5dHESOf+FbKwt9V4DpXzoAX+0+CNRvayh8DH1Q==
        -----END PUBLIC KEY-----
        """
    static let post = "/database/1/iCloud.com.example.app/development/public/records/query"
    static let get =
        "/database/1/iCloud.com.example.app/development/public/users/caller?ckjsBuildVersion=2420ProjectDev22"
        + "&ckjsVersion=2.6.4&clientId=6d77dcee-66f6-4cef-9182-4fd5e9132824"

    let fixture: AuthenticationFixture

    init() throws {
        fixture = try AuthenticationFixture(now: Timestamp(wholeSeconds: 1_453_760_143))
    }

    private func register(_ pem: String) async throws -> ServerKey {
        _ = try await fixture.accounts.containers.ensure(name: Self.container)
        return try await fixture.accounts.serverKeys.add(
            container: Self.container, environment: .development, name: "ci", pem: pem)
    }

    private func headers(_ key: String, _ signature: String, date: String = date) -> HTTPFields {
        var headers = HTTPFields()
        for (name, value) in [("KeyID", key), ("ISO8601Date", date), ("SignatureV1", signature)] {
            if let name = HTTPField.Name("x-apple-cloudkit-request-\(name)") { headers[name] = value }
        }
        return headers
    }

    private func sign(_ message: String, _ key: P256.Signing.PrivateKey) -> String {
        key.signature(for: Data(message.utf8)).derRepresentation.base64EncodedString()
    }

    @Test(
        "A reference signature is accepted, and refused for any other body or path",
        arguments: [
            (
                post, #"{"query":{"recordType":"Artwork"}}"#,
                "MEUCIQC/fn7iBY9LZLUHZryWd8vvHj8a+W0wnyB05lY5sQidVQIgbLqdMLgbcjHKAS4SHJaqVv8NGcHyv0JlnsQNjWee9AY="
            ),
            (
                get, "",
                "MEUCIHiL9xp2K/M8pfekOeNfvf96SWqA7/5ONzQOmUPdHyrMAiEAwO2qKtIEF/LHBw/46g9XYmDVAuR7vnHo/t85OHo53hw="
            ),
            (
                get, "",
                "MEQCIBJvgxzQpnmghAdTIxnyWo0f8cxqS2NTLWun+vqh/dd8AiAP6Exyr1C8JOJV9i+uUFziXr1jhTx+aeETPbQkzIXDhQ=="
            ),
        ])
    func vector(target: String, body: String, signature: String) async throws {
        let key = try await register(Self.publicKey)
        let identity = try await fixture.identify(
            container: Self.container, headers: headers(key.id, signature), target: target, body: body)
        #expect(identity.caller == .serverKey(recordName: key.userRecordName))
        #expect(
            try await fixture.refusal(
                container: Self.container, headers: headers(key.id, signature), target: target, body: body + " ")
                == .authenticationFailed)
        #expect(
            try await fixture.refusal(
                container: Self.container, headers: headers(key.id, signature), target: target + "x", body: body)
                == .authenticationFailed)
    }

    static let emptyHash = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test(
        "A signed message is accepted in the documented forms only",
        arguments: [
            ("\(date):\(emptyHash):/p?q=%2B", true), ("\(date):\(emptyHash):/p", true), ("\(date)::/p?q=%2B", true),
            ("\(date)::/p", true), ("\(date)::/p?q=+", false), ("\(date)::", false), ("GET:\(date)::/p", false),
        ])
    func messageForms(message: String, accepted: Bool) async throws {
        let secret = P256.Signing.PrivateKey()
        let key = try await register(secret.publicKey.pemRepresentation)
        let refusal = try await fixture.refusal(
            container: Self.container, headers: headers(key.id, sign(message, secret)), target: "/p?q=%2B")
        #expect(refusal == (accepted ? nil : .authenticationFailed))
    }

    @Test("A request with a body is refused when only an empty body was signed")
    func unsignedBody() async throws {
        let secret = P256.Signing.PrivateKey()
        let key = try await register(secret.publicKey.pemRepresentation)
        for message in ["\(Self.date)::/p", "\(Self.date):\(Self.emptyHash):/p"] {
            #expect(
                try await fixture.refusal(
                    container: Self.container, headers: headers(key.id, sign(message, secret)), target: "/p",
                    body: "{}") == .authenticationFailed)
        }
    }

    @Test("A signature as 64 bare bytes is accepted") func rawSignature() async throws {
        let secret = P256.Signing.PrivateKey()
        let key = try await register(secret.publicKey.pemRepresentation)
        let signature = Data(secret.signature(for: Data("\(Self.date)::/p".utf8)).rawRepresentation)
            .base64EncodedString()
        #expect(
            try await fixture.refusal(container: Self.container, headers: headers(key.id, signature), target: "/p")
                == nil)
    }

    @Test(
        "A signature's date may be off by ten minutes",
        arguments: [
            ("2016-01-25T22:15:43.000Z", true), ("2016-01-25T23:15:43+01:00", true), ("2016-01-25T22:05:43Z", true),
            ("2016-01-25T22:25:43Z", true), ("2016-01-25T22:05:42Z", false), ("2016-01-25T22:25:44Z", false),
            ("1453760143", false), ("", false), ("2016-13-45T99:99:99Z", false),
        ])
    func dateTolerance(date: String, accepted: Bool) async throws {
        let secret = P256.Signing.PrivateKey()
        let key = try await register(secret.publicKey.pemRepresentation)
        let refusal = try await fixture.refusal(
            container: Self.container, headers: headers(key.id, sign("\(date)::/p", secret), date: date),
            target: "/p")
        #expect(refusal == (accepted ? nil : .authenticationFailed))
    }

    @Test(
        "A server key works in the public database of its container and environment only",
        arguments: [
            ("", DatabaseScope.public, ContainerEnvironment.development, container, true),
            ("", .private, .development, container, false), ("", .shared, .development, container, false),
            ("", .public, .production, container, false), ("", .public, .development, "other", false),
            ("ckAPIToken=x", .public, .development, container, false),
            ("ckWebAuthToken=x", .public, .development, container, false),
        ])
    func keyScope(
        query: String, scope: DatabaseScope, environment: ContainerEnvironment, container: String, accepted: Bool
    ) async throws {
        let secret = P256.Signing.PrivateKey()
        let key = try await register(secret.publicKey.pemRepresentation)
        _ = try await fixture.accounts.containers.ensure(name: "other")
        let refusal = try await fixture.refusal(
            container: container, environment, scope, query: query,
            headers: headers(key.id, sign("\(Self.date)::/p", secret)), target: "/p")
        #expect(refusal == (accepted ? nil : .authenticationFailed))
    }

    @Test("An unknown key, a revoked key and missing headers get the same answer")
    func unknownKeys() async throws {
        let secret = P256.Signing.PrivateKey()
        let key = try await register(secret.publicKey.pemRepresentation)
        let good = headers(key.id, sign("\(Self.date)::/p", secret))
        var requests = [headers("unknown", good[good.startIndex].value), headers(key.id, "!"), headers(key.id, "AAAA")]
        requests += good.indices.map { index in
            var partial = good
            partial[good[index].name] = nil
            return partial
        }
        try await fixture.accounts.serverKeys.revoke(id: key.id)
        requests.append(good)
        for headers in requests {
            let error = await #expect(throws: ServerError.self) {
                try await fixture.identify(container: Self.container, headers: headers, target: "/p")
            }
            #expect(error == ServerError(.authenticationFailed, "Authentication failed", .credentials(.signature)))
        }
    }
}

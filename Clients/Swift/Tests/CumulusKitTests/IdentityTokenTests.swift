import CumulusKit
import CumulusKitTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct IdentityTokenTests {
    @Test("What Apple's credential gives is sent, and the answer signs in")
    func signIn() async throws {
        let transport = RecordedTransport([
            (200, #"{"nonce":"raw","hashedNonce":"digest","expires":1700000000000}"#),
            (200, #"{"ckWebAuthToken":"1__1__t","ckSession":"1__1__t","userRecordName":"_mei"}"#),
        ])
        let container = transport.container
        let nonce = try await container.prepareSignIn()
        #expect(nonce.hashedNonce == "digest" && nonce.expires == Date(timeIntervalSince1970: 1_700_000_000))
        var name = PersonNameComponents()
        (name.givenName, name.familyName) = ("Mei", "Chen")
        let user = try await container.signIn(
            provider: "apple", identityToken: Data("a.b.c".utf8), authorizationCode: Data("code".utf8), fullName: name,
            nonce: nonce)
        #expect(user.recordName == "_mei")
        #expect(try container.configuration.credentials.load() == "1__1__t")
        let sent = transport.bodies
        #expect(sent.count == 2 && sent[0]["container"] as? String == "iCloud.com.example.app")
        #expect(sent[1]["idToken"] as? String == "a.b.c" && sent[1]["nonce"] as? String == "raw")
        #expect(sent[1]["authorizationCode"] as? String == "code" && sent[1]["provider"] as? String == "apple")
        #expect(sent[1]["name"] as? [String: String] == ["givenName": "Mei", "familyName": "Chen"])
    }

    @Test("A refused token signs nobody in, and an address with an account leads to the sign-in page")
    func refused() async throws {
        let transport = RecordedTransport([
            (200, #"{"nonce":"raw","hashedNonce":"digest","expires":1700000000000}"#),
            (401, #"{"serverErrorCode":"AUTHENTICATION_FAILED","reason":"idToken: expired"}"#),
            (421, #"{"serverErrorCode":"AUTHENTICATION_REQUIRED","redirectURL":"https://c.example/auth/signin"}"#),
        ])
        let container = transport.container
        let nonce = try await container.prepareSignIn()
        for redirect in [nil, "https://c.example/auth/signin"] {
            let error = await #expect(throws: CKError.self) {
                try await container.signIn(provider: "apple", identityToken: Data("a.b.c".utf8), nonce: nonce)
            }
            #expect(error?.code == .notAuthenticated && error?.redirectURL?.absoluteString == redirect)
        }
        #expect(try container.configuration.credentials.load() == nil)
    }

    @Test("An identity token signs the same person in on two devices, once for each nonce")
    func devices() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "cumulus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await CrashingServer(in: folder)
        let provider = try await IdentityProvider(in: folder)
        try provider.add(as: "id", to: folder.appending(path: "data"))
        var users: Set<CKRecord.ID> = []
        for isHashed in [true, false] {
            let container = CKContainer(
                CumulusConfiguration(
                    identifier: "iCloud.com.example.app", origin: server.origin, apiToken: CumulusServer.apiToken))
            let nonce = try await container.prepareSignIn()
            let foreign = try provider.token(nonce: nonce.nonce, for: "com.example.other")
            let refused = await #expect(throws: CKError.self) {
                try await container.signIn(provider: "id", identityToken: foreign, nonce: nonce)
            }
            #expect(refused?.code == .notAuthenticated)
            let token = try provider.token(nonce: isHashed ? nonce.hashedNonce : nonce.nonce)
            users.insert(try await container.signIn(provider: "id", identityToken: token, nonce: nonce))
            try await container.privateCloudDatabase.save(CKRecord(recordType: "Note"))
            await #expect(throws: CKError.self) {
                try await container.signIn(provider: "id", identityToken: token, nonce: nonce)
            }
            #expect(try await container.accountStatus() == .available)
        }
        #expect(users.count == 1)
        withExtendedLifetime((server, provider)) {}
    }

    @Test("A server gives nonces, and refuses a token of a provider that it does not know", .cumulusSignedOut)
    func server() async throws {
        let container = CumulusTest.container
        let (first, second) = (try await container.prepareSignIn(), try await container.prepareSignIn())
        #expect(first != second && first.hashedNonce.count == 64 && first.expires > Date())
        let error = await #expect(throws: CKError.self) {
            try await container.signIn(provider: "none", identityToken: Data("a.b.c".utf8), nonce: first)
        }
        #expect(error?.code == .unknownItem)
    }
}

/// Answers in their order, and what was sent for them.
private final class RecordedTransport: HTTPTransport {
    private let answers: Mutex<[(Int, String)]>
    private let sent = Mutex<[Data]>([])

    init(_ answers: [(Int, String)]) { self.answers = Mutex(answers) }

    var bodies: [[String: Any]] {
        sent.withLock { $0 }.map { (try? JSONSerialization.jsonObject(with: $0)) as? [String: Any] ?? [:] }
    }

    var container: CKContainer {
        var settings = CumulusConfiguration(
            identifier: "iCloud.com.example.app", origin: "https://c.example", apiToken: "token")
        settings.credentials = MemoryCredentialStore()
        settings.transport = self
        return CKContainer(settings)
    }

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        sent.withLock { $0.append(request.body ?? Data()) }
        let (status, body) = answers.withLock { $0.removeFirst() }
        return HTTPAnswer(status: status, headers: [:], body: Data(body.utf8))
    }

    func stream(
        _ request: HTTPRequest
    ) async throws -> (status: Int, chunks: AsyncThrowingStream<Data, any Error>) {
        throw TransportFailure.notConnected("There is no stream.")
    }
}

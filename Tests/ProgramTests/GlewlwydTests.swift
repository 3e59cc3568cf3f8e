import CloudModel
import Foundation
import TestCloud
import TestProcess
import Testing

/// Sign-in at Glewlwyd, an independent provider of OpenID Connect.
@Suite(.timeLimit(.minutes(15)))
struct GlewlwydTests {
    private let program: Program
    private let server: RunningServer
    private let provider: Glewlwyd
    private let environment: [String: String]
    private let log: URL

    private struct Reply: CustomStringConvertible {
        let status: Int
        let location: String
        let body: String

        var description: String { "\(status) \(location) \(body)" }
    }

    init() async throws {
        program = try Program()
        let port = try FreePorts.take(1)[0]
        environment = ["CUMULUS_PUBLIC_URL": "http://127.0.0.1:\(port)"]
        log = try program.file("server.log", "")
        server = try await RunningServer(
            program, "--dev", environment: environment, port: port, errors: try FileHandle(forWritingTo: log))
        provider = try await Glewlwyd(try Program(), registering: server.origin, as: "glewlwyd")
        let secret = try program.file("secret", Glewlwyd.secret)
        let added = try await program(
            "provider", "add", "glewlwyd", "--client-id", Glewlwyd.client, "--issuer", provider.issuer,
            "--secret-file", secret.path(), "--allows-http", "on", "--title", "Glewlwyd")
        try #require(added.status == 0, "\(added)")
    }

    /// Asks the server as the browser of a jar of cookies.
    private func ask(_ target: String, jar: String = "browser", _ more: String = "") async throws -> Reply {
        let url = target.hasPrefix("http") ? target : server.origin + target
        let outcome = try await program.bash(
            """
            cd '\(program.folder.path())'
            touch body
            curl -sS -b \(jar) -c \(jar) -o body -w '%{http_code} %{redirect_url}' \(more) '\(url)'
            """)
        let words = outcome.output.split(separator: " ", omittingEmptySubsequences: false)
        let body = try String(contentsOf: program.folder.appending(path: "body"), encoding: .utf8)
        return Reply(
            status: words.first.flatMap { Int($0) } ?? 0, location: words.dropFirst().joined(separator: " "), body: body
        )
    }

    /// Begins a sign-in: the address at the provider.
    private func begin(jar: String = "browser") async throws -> String {
        let reply = try await ask("/auth/with/glewlwyd", jar: jar)
        try #require(reply.status == 303 && reply.location.hasPrefix("http"), "\(reply)")
        return reply.location
    }

    private func isSignedIn(jar: String = "browser") async throws -> Bool {
        let reply = try await ask("/account", jar: jar)
        return reply.status == 200 && reply.body.contains("Ann")
    }

    @Test("The code flow signs a person in, once for each code") func codeFlow() async throws {
        let answer = try await provider.agree(try await begin())
        let thief = try await ask(answer, jar: "thief")
        #expect(thief.status == 400, "\(thief)")
        let reply = try await ask(answer)
        #expect(reply.status == 303, "\(reply)")
        #expect(try await isSignedIn())
        let again = try await ask(answer, jar: "browser")
        #expect(again.status == 400, "\(again)")
        #expect(try await !isSignedIn(jar: "thief"))
        // The second sign-in finds the account of the first.
        #expect(try await ask(try await provider.agree(try await begin(jar: "second")), jar: "second").status == 303)
        #expect(try await isSignedIn(jar: "second"))
        let users = try await program("user", "list", "--json")
        #expect(users.output.components(separatedBy: "Ann").count == 2, "\(users.output)")
    }

    @Test("A request without a challenge, and a code of another challenge, sign nobody in") func challenge()
        async throws
    {
        let address = try await begin()
        let query = try #require(URLComponents(string: address)?.queryItems)
        let challenge = try #require(query.first { $0.name == "code_challenge" }?.value)
        let without = address.replacing("code_challenge=\(challenge)", with: "x=1")
        let refused = try await ask(try await provider.agree(without))
        #expect(refused.status == 400, "\(refused)")
        let other = try await begin(jar: "other")
        let swapped = try #require(
            URLComponents(string: other)?.queryItems?.first { $0.name == "code_challenge" }?.value)
        let stolen = try await ask(
            try await provider.agree(other.replacing(swapped, with: challenge)), jar: "other")
        #expect(stolen.status == 400, "\(stolen)")
        #expect(try await !isSignedIn(jar: "other"))
        let told = try String(contentsOf: log, encoding: .utf8)
        #expect(told.contains("provider refused") && told.contains("invalid_code"), "\(told)")
    }

    @Test("An answer by form, posted from the provider's origin without cookies, signs in") func form() async throws {
        let address = try await begin()
        let fields = try await provider.agree(address + "&response_mode=form_post")
        try #require(fields.contains("state=") && fields.contains("code="), "\(fields)")
        let posted = try await ask(
            "/auth/with/glewlwyd", jar: "nothing",
            "-H 'Origin: http://id.example' -H 'Sec-Fetch-Site: cross-site' --data '\(fields)'"
        )
        #expect(posted.status == 303, "\(posted)")
        #expect(try await ask(posted.location).status == 303)
        #expect(try await isSignedIn())
    }

    @Test("A sign-in that the provider may not ask for is refused with its reason") func silent() async throws {
        let address = try await begin()
        let other = try Program()
        // Another person's browser, signed out at the provider.
        let answer = try await other.bash(
            "curl -sS -o /dev/null -w '%{redirect_url}' '\(address)&prompt=none&g_continue'")
        let reply = try await ask(answer.output)
        #expect(reply.status == 400, "\(answer.output) \(reply)")
        #expect(try await !isSignedIn())
    }

    @Test("Who signs out at the provider is signed out here, and signs in again") func signOut() async throws {
        #expect(try await ask(try await provider.agree(try await begin())).status == 303)
        #expect(try await ask(try await provider.agree(try await begin(jar: "second")), jar: "second").status == 303)
        for jar in ["browser", "second"] { #expect(try await isSignedIn(jar: jar)) }
        let status = try await provider.signOut()
        #expect(status == "200")
        // The provider answers before it has told the server.
        try await until { try String(contentsOf: log, encoding: .utf8).contains("signed out by a provider") }
        for jar in ["browser", "second"] { #expect(try await !isSignedIn(jar: jar)) }
        #expect(try await ask(try await provider.agree(try await begin())).status == 303)
        #expect(try await isSignedIn())
    }

    @Test("The provider's test passes, and names a wrong secret") func examination() async throws {
        let good = try await program("provider", "test", "glewlwyd", environment: environment)
        #expect(good.status == 0, "\(good)")
        let secret = try program.file("wrong", "a wrong secret")
        #expect(try await program("provider", "update", "glewlwyd", "--secret-file", secret.path()).status == 0)
        let bad = try await program("provider", "test", "glewlwyd", environment: environment)
        #expect(bad.status != 0 && (bad.output + bad.errors).contains("secret"), "\(bad)")
    }
}

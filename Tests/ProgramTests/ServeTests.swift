import CloudWire
import CloudModel
import CloudServer
import Foundation
import Testing

@Suite(.timeLimit(.minutes(20)))
struct ServeTests {
    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    @Test("serve --dev prints how to begin") func greeting() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        #expect(server.welcome.contains(DevelopmentToken.text))
        let path = try #require(server.welcome.firstMatch(of: #/curl '(http[^']+)'/#)?.output.1)
        #expect(try await server.status(String(path.dropFirst(server.origin.count))) == 200)
        #expect(await server.stop() == 0)
    }

    @Test("Commands take effect while the server runs") func commands() async throws {
        let server = try await RunningServer(cumulus)
        _ = try await cumulus("container", "create", "c")
        let token = try await cumulus(
            "token", "create", "--container", "c", "--environment", "production", "--name", "web"
        ).output.trimmingCharacters(in: .newlines)
        let path = "/database/1/c/production/public/zones/list?ckAPIToken="
        #expect(try await server.status(path + token) == 200)
        #expect(try await server.status(path + DevelopmentToken.text) == 401)
        #expect(try await server.status("/auth/dev/session") == 404)
        #expect(try await cumulus("token", "revoke", "1").status == 0)
        #expect(try await server.status(path + token) == 401)
        #expect(await server.stop() == 0)
    }

    @Test("--version and /health give the same version, and /health gives it to operators only")
    func version() async throws {
        let printed = try await cumulus("--version")
        #expect(printed.status == 0)
        #expect(printed.output == ProgramVersion.text + "\n")
        let server = try await RunningServer(cumulus)
        let stranger = try JSONParser.parse(Array(try await server.get("/health").body))
        #expect(stranger.object?["status"]?.string == "ok" && stranger.object?["version"] == nil)
        let token = try await cumulus("management-token", "create", "--name", "t").output
        let answer = try await server.get(
            "/health", headers: ["Authorization": "Bearer \(token.trimmingCharacters(in: .newlines))"])
        let health = try JSONParser.parse(Array(answer.body))
        #expect(health.object?["version"]?.string == ProgramVersion.text)
        #expect(await server.stop() == 0)
    }

    @Test("A missing folder of page templates is named") func missingPages() async throws {
        let outcome = try await cumulus("serve", "--port", "0", environment: ["CUMULUS_PUBLIC": "/nowhere"])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("the page templates are not in '/nowhere'"))
    }

    @Test(
        "A start with a broken file of texts, or a language without texts, names the file and the key",
        arguments: [
            ("CUMULUS_PAGES_TEXTS", "", "de.json: 'signin.titel' is no key of en.json"),
            ("CUMULUS_PAGES_TEXTS", "/none", "of pages.texts cannot be read"),
            ("CUMULUS_PAGES_LANGUAGE", "sv", "pages.language is 'sv'"),
        ])
    func brokenTexts(setting: String, value: String, problem: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "texts-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(#"{"signin.titel": "x"}"#.utf8).write(to: folder.appending(path: "de.json"))
        let value = setting.hasSuffix("TEXTS") ? folder.path() + value : value
        let outcome = try await cumulus("serve", "--port", "0", environment: [setting: value])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(problem), "\(outcome.errors)")
    }

    @Test("A second server on one data folder is refused") func secondServer() async throws {
        let server = try await RunningServer(cumulus)
        let second = try await cumulus("serve", "--port", "0")
        #expect(second.status == 1)
        #expect(second.errors.contains("another server is running"))
        #expect(await server.stop() == 0)
        let third = try await RunningServer(cumulus)
        #expect(await third.stop() == 0)
    }

    @Test("serve --dev refuses to listen beyond this machine", arguments: ["0.0.0.0", "::", "192.0.2.1"])
    func loopbackOnly(host: String) async throws {
        let outcome = try await cumulus("serve", "--dev", "--host", host, "--port", "0")
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("--dev-allow-remote"))
        let configured = try await cumulus(
            "serve", "--port", "0", environment: ["CUMULUS_DEV": "1", "CUMULUS_HOST": host])
        #expect(configured.errors.contains("--dev-allow-remote"))
    }

    @Test(
        "The service manager is notified once the server listens, on file and abstract sockets", arguments: ["", "@"])
    func readiness(start: String) async throws {
        let script = #"""
            import os, socket, subprocess, sys, urllib.request
            name, program, data = sys.argv[1:]
            waiting = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            waiting.bind(name.replace("@", "\0", 1))
            waiting.settimeout(60)
            environment = {**os.environ, "NOTIFY_SOCKET": name}
            server = subprocess.Popen([program, "serve", "--port", "0", "--data", data], env=environment, stdout=subprocess.PIPE)
            try:
                print(waiting.recv(100).decode())
                origin = next(word for word in server.stdout.readline().decode().split() if word.startswith("http")).rstrip(",")
                print(urllib.request.urlopen(origin + "/ready").status)
            finally:
                server.terminate()
                print(server.wait())
            """#
        let file = cumulus.folder.appending(path: "notify.py").path()
        try Data(script.utf8).write(to: URL(filePath: file))
        let name = start.isEmpty ? cumulus.folder.appending(path: "s").path() : "@\(UUID().uuidString)"
        let outcome = try await cumulus.bash(
            "python3 '\(file)' '\(name)' '\(Program.executable.path())' '\(cumulus.data)'")
        #expect(outcome.output == "READY=1\n200\n0\n", "\(outcome)")
    }

    @Test(
        "A service manager that cannot be notified does not stop the server", arguments: ["/nowhere/socket", "x", ""])
    func noReadiness(name: String) async throws {
        let server = try await RunningServer(cumulus, environment: ["NOTIFY_SOCKET": name])
        #expect(try await server.status("/health") == 200)
        #expect(await server.stop() == 0)
    }
}

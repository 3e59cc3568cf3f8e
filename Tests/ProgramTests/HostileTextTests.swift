import CloudModel
import Foundation
import TestProcess
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Texts that people choose, on their way to a terminal, a mail program and through a proxy.
@Suite(.timeLimit(.minutes(20)))
struct HostileTextTests {
    let cumulus: Program

    init() throws { cumulus = try Program() }

    /// Sets a title, clears the screen by C1, begins a line of its own, and turns the direction around.
    private static let name = "a\u{1B}]0;x\u{7}\u{9B}2Jb\r\nadmin@example.com\u{85}c\u{202E}d"

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar.properties.generalCategory != .control && scalar != "\u{202E}"
        }
    }

    @Test("No command prints a control character from user input")
    func commandOutput() async throws {
        _ = try await cumulus("container", "create", "c")
        let made = try await cumulus("user", "create", "eve@example.com", "--given-name", Self.name)
        #expect(made.status == 0, "\(made.errors)")
        let token = try await cumulus("management-token", "create", "--name", Self.name, "--scope", "schema")
        #expect(token.status == 0, "\(token.errors)")
        let options = ["--container", "c", "--environment", "development", "--name", Self.name]
        #expect(try await cumulus.run(["token", "create"] + options).status == 0)
        for command in [["user", "list"], ["audit"], ["management-token", "list"], ["token", "list"]] {
            let table = try await cumulus.run(command)
            #expect(table.status == 0 && table.output.contains("\\u001b]0;x"), "\(table.output) \(table.errors)")
            #expect(Self.isPlain(table.output), "\(command)")
            #expect(!table.output.contains("\nadmin@example.com"), "\(command)")
            let json = try await cumulus.run(command + ["--json"])
            #expect(Self.isPlain(json.output), "\(command)")
            _ = try json.json
        }
        let missing = try await cumulus("user", "disable", "\u{1B}[31m\u{9B}@example.com")
        #expect(missing.status == 1 && Self.isPlain(missing.errors), "\(missing.errors)")
    }

    @Test("The log has no control character from a client", arguments: ["text", "json"])
    func logsArePlain(format: String) async throws {
        let log = try cumulus.file("log", "")
        let server = try await RunningServer(
            cumulus, "--dev", environment: ["CUMULUS_LOG_FORMAT": format, "CUMULUS_LOG_REQUESTS": "all"],
            errors: try FileHandle(forWritingTo: log))
        let mei = try await DevelopmentPerson(server)
        let write =
            #"{"operations": [{"operationType": "create", "record": {"recordName": "\u001b\u009b31m", "recordType": "\u009b\r\nT"}}]}"#
        _ = try await mei.send("records/modify", write)
        _ = try await server.get("/share/%1B%5B31m%C2%9B%0A")
        _ = try await server.get("/%1B%5B31m%C2%9B%0A")
        #expect(await server.stop() == 0)
        let text = try String(contentsOf: log, encoding: .utf8)
        #expect(text.contains("records/modify") && Self.isPlain(text), "\(text)")
    }

    @Test("Mail goes to the recipient with the configured public URL, whatever host a request names")
    func mail() async throws {
        let script = try cumulus.file(
            "sendmail", "#!/bin/sh\nprintf '%s|' \"$@\" >\"$0.arguments\"\ncat >\"$0.input\"\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path())
        _ = try await cumulus("user", "create", "ann@example.com")
        for address in ["a@x,b", "<a@x>", "a@x(3)"] {
            let refused = try await cumulus("user", "create", address)
            #expect(refused.status == 1 && refused.errors.contains("is not an email address"), "\(refused.errors)")
        }
        let scopes = ["--scope", "people"]
        let token = try await cumulus.run(["management-token", "create", "--name", "t"] + scopes).output
            .trimmingCharacters(in: .newlines)
        let command = ["CUMULUS_REGISTRATION_MAIL_COMMAND": "\(script.path()) -t -i"]
        let reset = { (server: RunningServer) in
            var request = URLRequest(
                url: try #require(URL(string: server.origin + "/admin/1/users/ann@example.com/reset")))
            request.httpMethod = "POST"
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            request.setValue("evil.example", forHTTPHeaderField: "Host")
            let (body, response) = try await URLSession.shared.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode, String(decoding: body, as: UTF8.self))
        }
        let nameless = try await RunningServer(cumulus, environment: command)
        let refused = try await reset(nameless)
        #expect(refused.0 == 400 && refused.1.contains("publicUrl"), "\(refused)")
        #expect(await nameless.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: script.path() + ".input"))
        let port = try FreePorts.one()
        let server = try await RunningServer(
            cumulus, "--port", "\(port)",
            environment: command.merging(["CUMULUS_PUBLIC_URL": "http://localhost:\(port)"]) { $1 })
        let sent = try await reset(server)
        #expect(sent.0 == 200, "\(sent)")
        #expect(await server.stop() == 0)
        #expect(try String(contentsOfFile: script.path() + ".arguments", encoding: .utf8) == "-i|ann@example.com|")
        let message = try String(contentsOfFile: script.path() + ".input", encoding: .utf8)
        #expect(message.contains("http://localhost:\(port)/auth/reset?id=") && !message.contains("evil"), "\(message)")
    }

    @Test("A development server behind a local proxy refuses console, emulator and admin requests")
    func proxiedDevelopment() async throws {
        let server = try await RunningServer(cumulus, "--dev")
        let ask = { (path: String, field: String?) in
            var request = URLRequest(url: try #require(URL(string: server.origin + path)))
            if let field { request.setValue("for=203.0.113.7", forHTTPHeaderField: field) }
            let (_, response) = try await URLSession.shared.data(for: request)
            return (response as? HTTPURLResponse)?.statusCode
        }
        for path in ["/console", "/emulator/1/clock", "/admin/1/requests"] {
            #expect(try await ask(path, nil) == 200, "\(path)")
            for field in ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "Via", "X-Real-IP"] {
                #expect(try await ask(path, field) == 403, "\(path) \(field)")
            }
        }
        #expect(await server.stop() == 0)
    }
}

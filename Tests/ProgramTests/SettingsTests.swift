import CloudHTTP
import CloudModel
import Configuration
import CloudOperations
import CloudServer
import Foundation
import Testing

@testable import cumulus

@Suite(.timeLimit(.minutes(10)))
struct SettingsTests {
    let program: Program

    init() throws {
        program = try Program()
    }

    /// The row of one setting, as `cumulus settings --json` lists it.
    private func row(_ name: String, _ arguments: [String], _ environment: [String: String]) async throws -> JSONObject
    {
        let outcome = try await program.run(["settings", "--json"] + arguments, environment: environment)
        let rows = try #require(try outcome.json.array, "\(outcome.errors)").compactMap(\.object)
        return try #require(rows.first { $0["name"]?.string == name })
    }

    @Test("Every limit and quota has a setting of its own") func everyLimit() throws {
        let defaults = Self.leaves(Settings().server.limits)
        var changed: [String] = []
        for setting in SettingsTable.all where setting.name.hasPrefix("limit.") || setting.name.hasPrefix("quota.") {
            var settings = Settings()
            let value = try #require(Int(setting.text(settings)), "\(setting.name)")
            do { try setting.take(.int(value + 1), &settings) } catch { try setting.take(.int(value - 1), &settings) }
            let leaves = Self.leaves(settings.server.limits).filter { $0.value != defaults[$0.key] }.map(\.key)
            #expect(leaves.count == 1, "\(setting.name) changes \(leaves)")
            changed += leaves
            // Grouped limits have settings with longer names.
            if let leaf = leaves.first, !leaf.contains(".") { #expect(setting.name == "limit.\(leaf)") }
        }
        #expect(changed.sorted() == defaults.keys.sorted())
        let names = SettingsTable.all.map(\.name)
        #expect(names.count == Set(names).count)
    }

    /// The numbers and durations of a value, by path.
    private static func leaves(_ value: Any, _ path: [String] = []) -> [String: String] {
        if value is Int || value is Duration { return [path.joined(separator: "."): "\(value)"] }
        return Mirror(reflecting: value).children.reduce(into: [:]) { all, child in
            all.merge(leaves(child.value, path + [child.label ?? ""])) { one, _ in one }
        }
    }

    @Test("Defaults are those of the server") func defaults() async throws {
        #expect(try await row("limit.recordBytes", [], [:])["value"]?.shown == "\(Limits().recordBytes)")
        #expect(try await row("port", [], [:])["from"]?.string == "default")
    }

    @Test("Limits of bytes in flight fit into the process's memory, unless they are set explicitly")
    func memory() throws {
        let small = 512 << 20
        let standard = ServerConfiguration().inFlight
        let fitted = try SettingsReader(sources: []).settings(memory: small).server.inFlight
        #expect(fitted.requestBytes == small / 10 && fitted.answerBytes == small / 10)
        #expect(fitted.answerBytesPerCaller < standard.answerBytesPerCaller)
        let name = SettingsSource.variable("inFlight.requestBytes")
        let source = SettingsSource.environment([name: "\(standard.requestBytes)"])
        let set = try SettingsReader(sources: [source]).settings(memory: small).server.inFlight
        #expect(set.requestBytes == standard.requestBytes && set.answerBytes == small / 10)
        let largest = SettingsSource.environment([SettingsSource.variable("limit.requestBytes"): "\(32 << 20)"])
        let raised = try SettingsReader(sources: [largest]).settings(memory: small).server.inFlight
        #expect(raised.requestBytesPerCaller == 32 << 20)
    }

    @Test("Rates and quotas apply by default, except on a development server where they must be set")
    func developmentIsUnbound() async throws {
        let bounds = [
            "rate.user": "200", "rate.address": "100", "rate.refusedUploadBytes": "\(1 << 30)",
            "quota.user.records": "10000000", "quota.user.bytes": "\(100 << 30)", "quota.user.assetBytes": "\(1 << 40)",
        ]
        for (name, value) in bounds {
            var dev = ["CUMULUS_DEV": "true"]
            #expect(try await row(name, [], [:])["value"]?.shown == value)
            #expect(try await row(name, [], dev)["value"]?.shown == "0")
            dev[SettingsSource.variable(name)] = "7"
            #expect(try await row(name, [], dev)["value"]?.shown == "7")
        }
    }

    @Test("The command line overrides the environment, then the file, then the default")
    func precedence() async throws {
        let file = try program.file("settings.json", #"{"data":"/file","port":1,"limit":{"recordTypes":7}}"#).path()
        let environment = ["CUMULUS_DATA": "/environment", "CUMULUS_CONFIG": file]
        #expect(try await row("data", ["--data", "/line"], environment)["value"]?.shown == "/line")
        #expect(try await row("data", [], environment)["value"]?.shown == "/environment")
        #expect(try await row("port", [], environment)["value"]?.shown == "1")
        #expect(try await row("limit.recordTypes", ["--config", file], [:])["value"]?.shown == "7")
        #expect(try await row("limit.recordTypes", ["--config", file], [:])["from"]?.string == "in \(file)")
    }

    @Test(
        "No list of settings shows a password, whatever setting holds it", .timeLimit(.minutes(5)),
        arguments: [false, true])
    func secrets(throughServer: Bool) async throws {
        let environment = [
            "CUMULUS_REGISTRATION_MAIL_COMMAND": "SMTP_PASSWORD=hunter2 /usr/bin/msmtp --user=me",
            "CUMULUS_ASSETS_URL": "s3://key:hunter2@bucket/prefix",
            "CUMULUS_BACKUP_TO": "s3://key:hunter2@bucket/prefix?password=hunter2",
        ]
        // Whatever a setting's value is, its passwords are not shown.
        var taken = 0
        for setting in SettingsTable.all {
            for url in [
                "https://me:hunter2@example.com/x?password=hunter2", "https://me:hunter2@example.com",
                "https://me:pass/hunter2@example.com", "https://me:p@hunter2@example.com",
                "postgres://me:hunter2@db.example.com/cloud?sslpassword=hunter2",
            ] {
                let source = SettingsSource.environment([SettingsSource.variable(setting.name): url])
                guard let infos = try? SettingsReader(sources: [source]).infos() else { continue }
                taken += 1
                for info in infos { #expect(!info.value.contains("hunter2"), "\(info.name): \(info.value)") }
            }
        }
        #expect(taken > 20, "\(taken)")
        guard throughServer else {
            let listed = try await program.run(["settings", "--json"], environment: environment)
            #expect(listed.status == 0 && !listed.output.contains("hunter2"), "\(listed.output)\(listed.errors)")
            #expect(listed.output.contains("bucket/prefix") && listed.output.contains("(set, not shown)"))
            return
        }
        let server = try await RunningServer(
            program,
            environment: environment.filter { $0.key == "CUMULUS_REGISTRATION_MAIL_COMMAND" })
        let made = try await program("management-token", "create", "--name", "t", "--scope", "operations")
        let answer = try await server.get(
            "/admin/1/settings", headers: ["Authorization": "Bearer \(made.output.trimmingCharacters(in: .newlines))"])
        let text = String(decoding: answer.body, as: UTF8.self)
        #expect(text.contains("registration.mailCommand") && !text.contains("hunter2"), "\(text)")
        #expect(await server.stop() == 0)
    }

    @Test(
        "A wrong variable is refused by its name",
        arguments: [
            ("CUMULUS_LIMT_RECORD_BYTES", "1", "CUMULUS_LIMIT_RECORD_BYTES"),
            ("CUMULUS_PORT", "http", "CUMULUS_PORT in the environment must be a whole number"),
            (
                "CUMULUS_PAGES_SITE_NAME", "Our\ncloud",
                "CUMULUS_PAGES_SITE_NAME in the environment must be a name of 1 to 80 characters"
            ),
            (
                "CUMULUS_PAGES_SITE_NAME", String(repeating: "x", count: 81),
                "CUMULUS_PAGES_SITE_NAME in the environment must be a name of 1 to 80 characters"
            ),
            ("CUMULUS_PORT", "70000", "from 0 to 65535"), ("CUMULUS_PORT", "", "CUMULUS_PORT"),
            ("CUMULUS_DEV", "maybe", "true or false"), ("CUMULUS_LOG_LEVEL", "loud", "one of trace, debug"),
            ("CUMULUS_PUBLIC_URL", "cloud.example.com", "an origin such as"),
            ("CUMULUS_PUBLIC_URL", "https://me:word@cloud.example.com", "without a path, user name or password"),
            ("CUMULUS_ASSETS_ENDPOINT", "https://key:word@s3.example.com", "without a path, user name or password"),
            ("CUMULUS_LIMIT_RECORD_BYTES", "0", "from 1024"),
            ("CUMULUS_SOMETHING_ELSE_ENTIRELY", "1", "'cumulus settings' lists them all"),
            ("CUMULUS_CONFIG", "/nowhere.json", "cannot read the settings file /nowhere.json"),
        ])
    func wrongVariable(variable: String, value: String, message: String) async throws {
        for command in [["settings"], ["container", "list"], ["serve"]] {
            let outcome = try await program.run(command, environment: [variable: value])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains(message))
        }
    }

    @Test(
        "A wrong setting in the file is refused by its name",
        arguments: [
            ("{", "is not JSON"), ("[]", "must hold a JSON object, not an array"),
            (#"{"limit":{"recordBites":1}}"#, "limit.recordBites"),
            (#"{"limit":{"recordBites":1}}"#, "did you mean limit.recordBytes?"),
            (#"{"port":"8080"}"#, "port in"), (#"{"port":true}"#, "a whole number"), (#"{"dev":1}"#, "true or false"),
            (#"{"port":null}"#, "'port'"), (#"{"host":""}"#, "not empty"),
        ])
    func wrongFileSetting(text: String, message: String) async throws {
        let file = try program.file("settings.json", text).path()
        let outcome = try await program("settings", "--config", file)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains(message))
        #expect(outcome.errors.contains(file))
    }

    @Test(
        "A loopback address is recognized in every form",
        arguments: [
            ("127.0.0.1", true), ("localhost", true), ("::1", true), ("127.9.9.9", true), ("0.0.0.0", false),
            ("::", false), ("127.0.0.1.example.com", false), ("10.0.0.1", false),
        ])
    func loopback(host: String, expected: Bool) {
        #expect(Loopback.contains(host) == expected)
    }
}

extension JSONValue {
    /// A value of a setting as people read it; empty for none.
    var shown: String {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .null, .array, .object: ""
        }
    }
}

import CloudModel
import Foundation
import Testing

/// The files for `docker compose`, held to the settings and to themselves.
@Suite(.timeLimit(.minutes(5)))
struct ComposeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    static let files = ["compose.yaml", "compose.scaled.yaml", "compose.realhost.yaml"]

    private func text(_ file: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    }

    /// The names one step below a key at the beginning of a line.
    private func names(under key: String, of text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != "\(key):" }.dropFirst()
        return lines.prefix { $0.isEmpty || $0.hasPrefix(" ") || $0.hasPrefix("#") }
            .compactMap { $0.wholeMatch(of: #/ {2}([a-z]+):/#).map { String($0.output.1) } }
    }

    /// A value as compose gives it to the program, where variables without a default have a sample.
    private func substituted(_ value: Substring) -> String {
        value.replacing(#/\$\{[A-Z_]+(?::-([^}]*)|:\?[^}]*)?\}/#) { $0.output.1 ?? "sample" }
            .trimmingCharacters(in: ["\""])
    }

    @Test("Every variable is a setting, with a value that the program accepts", arguments: files)
    func settings(file: String) async throws {
        let found = try text(file).matches(of: #/(?m)^ +((?:CUMULUS|AWS)_[A-Z0-9_]+): (.+)$/#).map(\.output)
        let environment = Dictionary(
            found.map { (String($0.1), substituted($0.2)) }, uniquingKeysWith: { first, _ in first })
        #expect(environment["CUMULUS_PUBLIC_URL"] != nil)
        let outcome = try await Program().run(["settings", "--json"], environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let rows = try #require(try outcome.json.array).compactMap(\.object)
        for variable in environment.keys where variable.hasPrefix("CUMULUS_") {
            let row = rows.first { $0["variable"]?.string == variable }
            #expect(row?["from"]?.string?.contains("environment") == true, "\(variable)")
        }
    }

    @Test("Every host that a service names is a service, and every volume is declared", arguments: files)
    func parts(file: String) throws {
        let text = try text(file)
        let services = names(under: "services", of: text)
        let hosts = text.matches(of: #/@([a-z]+)\/|http:\/\/([a-z]+):|(?:to |reverse_proxy |\d )([a-z]+):8080/#)
        for host in hosts.compactMap({ $0.output.1 ?? $0.output.2 ?? $0.output.3 }) where host != "localhost" {
            #expect(services.contains(String(host)), "\(host)")
        }
        let mounted = text.matches(of: #/(?m)^ +- ([a-z]+):\/[a-z]/#).map { String($0.output.1) }
        #expect(Set(mounted) == Set(names(under: "volumes", of: text)))
        #expect(text.contains(#"["CMD", "cumulus", "health"]"#))
    }

    @Test("A composed server has the file limit of the systemd unit, with any image", arguments: files)
    func descriptors(file: String) throws {
        let unit = try text("Packaging/cumulus.service")
        let most = try #require(unit.firstMatch(of: #/LimitNOFILE=(\d+)/#)?.output.1)
        let text = try text(file)
        #expect(text.firstMatch(of: #/ulimits:\n(?: +#.*\n)* +nofile: (\d+)/#)?.output.1 == most)
        #expect(text.contains("image: ${CUMULUS_IMAGE:-cumulus}"))
    }

    @Test("The systemd unit lets the server confine programs") func unit() throws {
        let calls = try text("Packaging/cumulus.service").matches(of: #/(?m)^SystemCallFilter=(.+)$/#)
            .flatMap { $0.output.1.split(separator: " ") }
        for call in ["create_ruleset", "add_rule", "restrict_self"] { #expect(calls.contains("landlock_\(call)")) }
    }

    @Test("The servers of compose.scaled.yaml and commands fit into PostgreSQL's default hundred connections")
    func connections() async throws {
        let servers = try text("compose.scaled.yaml").matches(of: #/<<: \*server/#).count
        #expect(servers == 2)
        let outcome = try await Program().run(["settings", "--json"], environment: [:])
        let rows = try #require(try outcome.json.array).compactMap(\.object)
        let most = rows.first { $0["name"]?.string == "database.connections" }?["value"]?.integer.map { Int($0) }
        #expect(servers * (try #require(most)) <= 90)
    }
}

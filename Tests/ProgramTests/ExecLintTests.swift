import CloudHTTP
import Foundation
import TestProcess
import Testing

/// `cumulus exec`: what it tells of clients, and what it draws from a seed.
@Suite(.timeLimit(.minutes(20)))
struct ExecLintTests {
    let cumulus: Program

    init() throws { cumulus = try Program() }

    /// Says who is there, with a session, and where the app's database is.
    private static let signIn = #"""
        session=$(curl -s "$CUMULUS_ORIGIN/auth/dev/session" -d '{"container": "'$CUMULUS_CONTAINER'",
            "environment": "development", "email": "mei@example.com"}')
        user=$(jq -r '.ckWebAuthToken | @uri' <<<"$session")
        credentials="ckAPIToken=$CUMULUS_API_TOKEN&ckWebAuthToken=$user"
        app=$CUMULUS_ORIGIN/database/1/$CUMULUS_CONTAINER/development/private
        ck() { curl -s "$app/$1?$credentials" -d "$2"; }

        """#

    private func exec(_ options: [String], _ script: String) async throws -> Program.Outcome {
        try await cumulus.run(
            ["exec"] + options + ["--", "/bin/bash", "-c", Self.signIn + script],
            environment: ["TMPDIR": cumulus.folder.path()])
    }

    private func file(_ name: String) -> String { cumulus.folder.appending(path: name).path() }

    private static let save =
        #"ck records/modify '{"operations": [{"operationType": "forceReplace", "record": {"recordType": "Note","#
        + #" "recordName": "a<b>&\"c"}}]}' >/dev/null"#

    @Test("A finding is reported in text, JSON and JUnit, and fails a strict run")
    func forms() async throws {
        let twice = Self.save + "\n" + Self.save
        for (name, marks) in [
            ("lint.json", [#""rule":"recordChangeTag""#, #""count":1"#, #"a<b>&\"c"#]),
            ("lint.xml", [#"failures="1""#, #"name="recordChangeTag">"#, "a&lt;b&gt;&amp;&quot;c"]),
            ("lint.txt", ["recordChangeTag  forceReplace of 'a<b>&\"c' without its tag"]),
        ] {
            let outcome = try await exec(["--lint", file(name), "--strict"], twice)
            #expect(outcome.status == 1, "\(outcome)")
            #expect(outcome.errors.contains("recordChangeTag: send the recordChangeTag that was read"))
            let text = try String(contentsOfFile: file(name), encoding: .utf8)
            for mark in marks { #expect(text.contains(mark), "\(text)") }
        }
        let xml = try await cumulus.bash(
            "python3 -c 'import sys, xml.dom.minidom as d; d.parse(sys.argv[1])' '\(file("lint.xml"))'")
        #expect(xml.status == 0, "\(xml)")
        #expect(try await exec([], twice).status == 0)
        #expect(try await exec(["--strict"], twice + "\nexit 7").status == 7)
        let clean = try await exec(["--strict", "--lint", file("clean.xml")], Self.save)
        #expect(clean.status == 0 && clean.errors == "", "\(clean)")
        #expect(try String(contentsOfFile: file("clean.xml"), encoding: .utf8).contains(#"failures="0""#))
        let away = try await exec(["--lint", "/nowhere/lint.txt"], "true")
        #expect(away.status == 1 && away.errors.contains("--lint: cannot write /nowhere/lint.txt"))
    }

    @Test("Repeatedly closed polls are a finding")
    func closedPolls() async throws {
        let script = #"""
            poll=$(curl -s "$CUMULUS_ORIGIN/device/1/$CUMULUS_CONTAINER/development/tokens/create?$credentials" \
                -d '{"apnsEnvironment": "development"}' | jq -r .webcourierURL)
            for i in 1 2 3; do curl -s -m 1 "$poll"; done
            until curl -s "$CUMULUS_ORIGIN/emulator/1/lint" | grep '"rule":"poll"'; do sleep 0.1; done
            """#
        let outcome = try await exec(["--strict"], script)
        #expect(outcome.status == 1 && outcome.errors.contains("poll  it closed polls within"), "\(outcome)")
    }

    @Test("Runs with one seed have the same names, tags and tokens, and another seed has others")
    func deterministic() async throws {
        let script = #"""
            echo "$user"
            ck zones/modify '{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Notes"}}}]}'
            ck records/modify '{"zoneID": {"zoneName": "Notes"}, "operations": [{"operationType": "create",
                "record": {"recordType": "Note", "createShortGUID": true}}]}'
            ck records/changes '{"zoneID": {"zoneName": "Notes"}}'
            ck assets/upload '{"tokens": [{"recordType": "Note", "fieldName": "image"}]}' | jq .tokens[0].recordName
            curl -s "$CUMULUS_ORIGIN/device/1/$CUMULUS_CONTAINER/development/tokens/create?$credentials" \
                -d '{"apnsEnvironment": "development"}' | jq .apnsToken
            """#
        var texts: [String] = []
        for seed in ["7", "7", "8"] {
            let outcome = try await exec(["--deterministic", seed], script)
            #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
            texts.append(outcome.output)
        }
        #expect(texts[0].contains(#""shortGUID""#) && texts[0] == texts[1], "\(texts[0])\n\(texts[1])")
        let (first, other) = (
            Set(texts[0].split(whereSeparator: \.isNewline)), texts[2].split(whereSeparator: \.isNewline)
        )
        #expect(first.isDisjoint(with: other), "\(texts[0])\n\(texts[2])")
    }
}

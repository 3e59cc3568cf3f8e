import CloudHTTP
import CloudModel
import Foundation
import TestProcess
import TestWire
import Testing

/// HTTPS at `tls.address`, spoken with curl.
@Suite(.timeLimit(.minutes(20)))
struct TLSTests {
    let cumulus: Program
    private let port: Int
    private let certificate: String

    init() async throws {
        cumulus = try Program()
        port = try FreePorts.one()
        certificate = cumulus.folder.appending(path: "cert.pem").path()
        try await makeCertificate("first")
    }

    /// A certificate of its own for localhost; the one before is kept beside it as `name`.pem.
    private func makeCertificate(_ name: String) async throws {
        let made = try await cumulus.bash(
            """
            cd '\(cumulus.folder.path())'
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=\(name) \
                -addext subjectAltName=DNS:localhost -keyout new-key.pem -out \(name).pem 2>openssl.log
            mv new-key.pem key.pem
            cp \(name).pem cert.pem
            """)
        try #require(made.status == 0, "\(made.errors)")
    }

    private var environment: [String: String] {
        [
            "CUMULUS_TLS_ADDRESS": "127.0.0.1:\(port)", "CUMULUS_TLS_CERTIFICATE": certificate,
            "CUMULUS_TLS_KEY": cumulus.folder.appending(path: "key.pem").path(),
            "CUMULUS_PUBLIC_URL": "https://localhost:\(port)",
        ]
    }

    /// Runs `script` against a server; `curl` there trusts the first certificate.
    private func run(_ script: String) async throws -> Program.Outcome {
        try await cumulus.bash(
            """
            cd '\(cumulus.folder.path())'
            origin=https://localhost:\(port)
            ask() { curl -sS --fail-with-body --cacert first.pem "$@"; }
            for _ in $(seq 600); do ask -o ready "$origin/health" 2>early && break; sleep 0.1; done
            \(script)
            """)
    }

    @Test(
        "Records, assets and refusals go over HTTPS",
        arguments: [("--http1.1", "1.1"), ("--http2", "2")])
    func bothVersions(option: String, version: String) async throws {
        let server = try await RunningServer(cumulus, "--dev", environment: environment)
        let outcome = try await run(
            #"""
            ask \#(option) -o health -w '%{http_version}\n' "$origin/health"
            key=$(printf 'd0%.0s' {1..32})
            place='{"container": "iCloud.com.example.notes", "environment": "development", "email": "ann@example.com"}'
            ann=$(ask \#(option) "$origin/auth/dev/session" -d "$place" | jq -r '.ckWebAuthToken | @uri')
            path=$origin/database/1/iCloud.com.example.notes/development/public
            query="ckAPIToken=$key&ckWebAuthToken=$ann"
            upload=$(ask \#(option) "$path/assets/upload?$query" \
                -d '{"tokens": [{"recordType": "File", "recordName": "file", "fieldName": "bytes"}]}' | jq -r '.tokens[0].url')
            head -c 1000000 /dev/urandom >sent
            receipt=$(ask \#(option) "$upload" --data-binary @sent -H 'Content-Type: application/octet-stream' | jq -c .singleFile)
            link=$(ask \#(option) "$path/records/modify?$query" -d '{"operations": [{"operationType": "create", "record":
                {"recordType": "File", "recordName": "file", "fields": {"bytes": {"value": '"$receipt"'}}}}]}' |
                jq -r '.records[0].fields.bytes.value.downloadURL')
            ask \#(option) -o received "${link//\$\{f\}/file}"
            cmp sent received && echo same
            # A read that delivered a whole window at once stopped every fortieth upload.
            for _ in $(seq 60); do
                upload=$(ask \#(option) "$path/assets/upload?$query" -d \
                    '{"tokens": [{"recordType": "File", "recordName": "file", "fieldName": "bytes"}]}' | jq -r '.tokens[0].url')
                ask \#(option) --max-time 60 -o receipt "$upload" --data-binary @sent -H 'Content-Type: application/octet-stream'
            done
            seq 50 | sed "s|.*|$origin/health|" | xargs -P 1 curl -s --cacert first.pem \#(option) -Z >many
            grep -o '"status"' many | wc -l
            curl -s --cacert first.pem \#(option) -w '%{http_code}\n' -o refusal "$path/records/lookup?ckAPIToken=none" -d '{}'
            curl -s --cacert first.pem \#(option) -w '%{http_code}\n' -o unknown "$origin/aps?tok=none"
            """#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "\(version)\nsame\n50\n401\n404\n", "\(outcome.output)\(outcome.errors)")
        #expect(await server.stop() == 0)
    }

    @Test("A renewed certificate is used without a restart")
    func renewal() async throws {
        let log = try cumulus.file("log", "")
        let server = try await RunningServer(
            cumulus, "--dev", environment: environment, errors: FileHandle(forWritingTo: log))
        let before = try await run("ask \"$origin/health\"")
        #expect(before.status == 0, "\(before.errors)")
        try await makeCertificate("second")
        let after = try await run(
            """
            until [ "$(grep -c 'certificate for TLS was read' log)" -ge 2 ]; do sleep 0.1; done
            curl -sS --cacert second.pem "$origin/health"
            if ask "$origin/health" 2>refused; then exit 1; fi
            """)
        #expect(after.status == 0, "\(after.output)\(after.errors)")
        #expect(await server.stop() == 0)
    }

    @Test("Unusable renewed files are logged, and the previous certificate stays in use")
    func badRenewal() async throws {
        let log = try cumulus.file("log", "")
        let server = try await RunningServer(
            cumulus, "--dev", environment: environment, errors: FileHandle(forWritingTo: log))
        let refused = try await run(
            """
            ask "$origin/health"
            openssl ecparam -name prime256v1 -genkey -noout -out key.pem
            until grep -q 'the key is not that of the certificate.*stays in use' log; do sleep 0.1; done
            ask "$origin/health"
            echo none >cert.pem
            until grep -q 'cert.pem holds no certificate in PEM.*stays in use' log; do sleep 0.1; done
            rm cert.pem
            until grep -q 'cert.pem cannot be read: No such file.*stays in use' log; do sleep 0.1; done
            ask "$origin/health"
            """)
        #expect(refused.status == 0, "\(refused.output)\(refused.errors)")
        try await makeCertificate("second")
        let renewed = try await run(
            """
            until [ "$(grep -c 'certificate for TLS was read' log)" -ge 2 ]; do sleep 0.1; done
            curl -sS --cacert second.pem "$origin/health"
            """)
        #expect(renewed.status == 0, "\(renewed.output)\(renewed.errors)")
        #expect(await server.stop() == 0)
    }

    @Test("A client that fails the TLS handshake, or speaks plain HTTP, is disconnected")
    func noHandshake() async throws {
        let server = try await RunningServer(cumulus, "--dev", environment: environment)
        _ = try await run("ask \"$origin/health\"")
        let plain = try Wire(port: port)
        try await plain.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try await !plain.readAll().hasPrefix("HTTP"))
        let silent = try Wire(port: port)
        #expect(try await silent.readAll() == "")
        #expect(await server.stop() == 0)
    }

    @Test("TLS 1.2 is accepted with forward secrecy only, and older versions are refused")
    func ciphers() async throws {
        let secure = try await SecureServer()
        let server = try await secure.start()
        for (options, isAgreed) in [
            ("-tls1_2 -cipher ECDHE-RSA-AES128-GCM-SHA256", true),
            ("-tls1_2 -cipher ECDHE-RSA-CHACHA20-POLY1305", true),
            ("-tls1_3", true), ("-tls1_2 -cipher AES128-SHA", false), ("-tls1_2 -cipher AES256-GCM-SHA384", false),
            ("-tls1_2 -cipher ECDHE-RSA-AES128-SHA", false), ("-tls1_1 -cipher DEFAULT@SECLEVEL=0", false),
        ] {
            let outcome = try await secure.program.bash(
                "openssl s_client -connect 127.0.0.1:\(secure.port) \(options) </dev/null 2>&1 | grep -c 'Cipher is (NONE)' || true"
            )
            #expect(outcome.output == (isAgreed ? "0\n" : "1\n"), "\(options): \(outcome.output)\(outcome.errors)")
        }
        #expect(await server.stop() == 0)
    }

    @Test("A long HTTP/2 query is answered after other streams have ended")
    func laterStreams() async throws {
        let server = try await RunningServer(cumulus, "--dev", environment: environment)
        let outcome = try await run(
            #"""
            key=$(printf 'd0%.0s' {1..32})
            place='{"container": "iCloud.com.example.notes", "environment": "development", "email": "ann@example.com"}'
            ann=$(ask "$origin/auth/dev/session" -d "$place" | jq -r '.ckWebAuthToken | @uri')
            path=$origin/database/1/iCloud.com.example.notes/development/private
            query="ckAPIToken=$key&ckWebAuthToken=$ann"
            for first in $(seq 0 200 2800); do
                jq -n --argjson first $first '{operations: [range($first; $first + 200) | {operationType: "create",
                    record: {recordType: "Note", recordName: "n\(.)", fields: {text: {value: "a"}}}}]}' >batch
                ask -o saved "$path/records/modify?$query" -d @batch
            done
            echo '{"query": {"recordType": "Note", "filterBy": [{"fieldName": "text", "comparator": "NOT_EQUALS",
                "fieldValue": {"value": "a"}}]}}' >scan
            ask --http2 -o none "$origin/health" --next -sS --fail-with-body --cacert first.pem --http2 \
                -w '%{num_connects}\n' "$path/records/query?$query" -d @scan
            """#)
        #expect(outcome.status == 0, "\(outcome.errors)")
        // No connection beside the first.
        #expect(outcome.output.contains(#""records":[]"#) && outcome.output.hasSuffix("0\n"), "\(outcome.output)")
        #expect(await server.stop() == 0)
    }

    @Test("An unusable certificate is reported at the start")
    func badFiles() async throws {
        let key = try cumulus.file("other.pem", "no key")
        for (changes, hint) in [
            (["CUMULUS_TLS_CERTIFICATE": nil], "tls.address needs tls.certificate"),
            (["CUMULUS_TLS_KEY": nil], "tls.address needs tls.key"),
            (["CUMULUS_TLS_KEY": key.path()], "tls.key cannot be used"),
            (["CUMULUS_TLS_CERTIFICATE": "/nowhere.pem"], "/nowhere.pem"),
            (["CUMULUS_TLS_ADDRESS": "everywhere"], "a host and a port"), (["CUMULUS_PUBLIC_URL": nil], "publicUrl"),
            (["CUMULUS_DEV": "true", "CUMULUS_TLS_ADDRESS": "0.0.0.0:9"], "--dev-allow-remote"),
        ] as [([String: String?], String)] {
            var environment = environment
            for (name, value) in changes { environment[name] = value }
            let outcome = try await cumulus.run(["serve", "--port", "0"], environment: environment)
            #expect(outcome.status == 1 && outcome.errors.contains(hint), "\(changes) \(outcome.errors)")
        }
    }
}

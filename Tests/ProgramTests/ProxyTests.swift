import Foundation
import TestProcess
import TestWire
import Testing

/// The settings that docs/operating.md has for proxies, in front of the program.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct ProxyTests {
    enum Proxy: String, CaseIterable {
        case nginx, caddy

        /// The block of the page, but for names, files and ports.
        func settings(port: Int, upstream: Int, folder: String) throws -> String {
            let mark = self == .nginx ? "proxy_pass" : "reverse_proxy"
            let blocks = try DocumentPage("docs/operating.md").blocks(self == .nginx ? "nginx" : "caddy")
            let block = try #require(blocks.first { $0.contains(mark) && $0.contains("8080") })
                .replacing("127.0.0.1:8080", with: "127.0.0.1:\(upstream)")
            switch self {
            case .nginx:
                let own =
                    block
                    .replacing("listen 443 ssl;", with: "listen 127.0.0.1:\(port) ssl;")
                    .replacing("/etc/ssl/cloud.example.com", with: "\(folder)/server")
                    .replacing("cloud.example.com", with: "localhost")
                let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                    .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: "\n")
                return """
                    daemon off;
                    pid \(folder)/nginx.pid;
                    error_log \(folder)/nginx.log;
                    events { worker_connections 200; }
                    http {
                    access_log off;
                    \(paths)
                    \(own)
                    }
                    """
            case .caddy:
                let site = "https://localhost:\(port) {\n    tls \(folder)/server.pem \(folder)/server.key"
                return """
                    {
                        admin off
                        auto_https disable_redirects
                        storage file_system \(folder)/caddy
                    }
                    \(block.replacing("cloud.example.com {", with: site))
                    """
            }
        }

        func arguments(_ file: String, _ folder: String) -> (program: String, words: [String]) {
            switch self {
            case .nginx: ("/usr/sbin/nginx", ["-p", folder, "-c", file])
            case .caddy: ("/usr/bin/caddy", ["run", "--adapter", "caddyfile", "--config", file])
            }
        }
    }

    /// A program behind a proxy, with what a person of its container needs.
    private final class Setup {
        let program: Program
        let server: RunningServer
        let origin: String
        let plainPort: Int
        /// The management token of an operator.
        let management: String
        /// The API token, and Mei's web auth token as a query has it.
        let query: String
        private let process: ChildProcess

        init(_ proxy: Proxy) async throws {
            program = try Program()
            let folder = program.folder.path()
            let port = try FreePorts.one()
            plainPort = try FreePorts.one()
            origin = "https://localhost:\(port)"
            let made = try await program.bash(
                """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
                    -addext subjectAltName=DNS:localhost -keyout '\(folder)/server.key' -out '\(folder)/server.pem' 2>&1
                # The workers of nginx are another user.
                chmod 755 '\(folder)'
                """)
            try #require(made.status == 0, "\(made.output)")
            let place = ["--container", "c", "--environment", "development"]
            #expect(try await program("container", "create", "c").status == 0)
            #expect(try await program("user", "create", "mei@example.com").status == 0)
            let session = try await program.run(["session", "create"] + place + ["--email", "mei@example.com"])
            let token = try await program.run(["token", "create"] + place + ["--name", "web"])
            management = try await program("management-token", "create", "--name", "t").output.trimmed
            let encoded = session.output.trimmed.replacing("+", with: "%2B").replacing("/", with: "%2F")
            query = "ckAPIToken=\(token.output.trimmed)&ckWebAuthToken=\(encoded)"
            server = try await RunningServer(
                program,
                environment: [
                    "CUMULUS_PUBLIC_URL": origin, "CUMULUS_TRUST_FORWARDED_FOR": "true", "CUMULUS_COURIER_HOLD": "3",
                    "CUMULUS_EVENT_HEARTBEAT": "1",
                ], port: plainPort)
            let file = try program.file(
                "proxy.conf", try proxy.settings(port: port, upstream: plainPort, folder: folder))
            let nothing = try FileHandle(forUpdating: URL(filePath: "/dev/null"))
            let log = try FileHandle(forWritingTo: try program.file("proxy.log", ""))
            let (path, words) = proxy.arguments(file.path(), folder)
            process = try ChildProcess(
                URL(filePath: path), words, environment: ["PATH": "/usr/bin:/bin", "HOME": folder],
                streams: (nothing.fileDescriptor, log.fileDescriptor, log.fileDescriptor), bound: Program.bound)
            let ready = try await program.bash(
                "for _ in $(seq 600); do curl -sk -o /dev/null \(origin)/health && exit; sleep 0.1; done; exit 1")
            let said = ["proxy.log", "nginx.log"].compactMap {
                try? String(contentsOf: program.folder.appending(path: $0), encoding: .utf8)
            }
            try #require(ready.status == 0, "\(said)")
        }

        deinit { process.send(SIGKILL) }

        func stop() async -> Int32 {
            process.send(SIGTERM)
            _ = await process.end()
            return await server.stop()
        }

        /// Runs curl, with the server's origin as `$O` and the query of a person's calls as `$Q`.
        func curl(_ script: String) async throws -> String {
            let outcome = try await program.bash(
                "O='\(origin)'; Q='\(query)'; cd '\(program.folder.path())'\n\(script)")
            #expect(outcome.status == 0, "\(script): \(outcome.output) \(outcome.errors)")
            return outcome.output
        }
    }

    @Test("A proxy with the documented settings forwards all that clients send", arguments: Proxy.allCases)
    func proxies(proxy: Proxy) async throws {
        let setup = try await Setup(proxy)
        try await bodies(setup)
        try await waits(setup)
        try await addresses(setup, proxy)
        #expect(await setup.stop() == 0)
    }

    /// Large bodies pass, and what is too large is refused in the server's words.
    private func bodies(_ setup: Setup) async throws {
        let receipt = try await setup.curl(
            """
            head -c 50000000 /dev/urandom >large
            url=$(curl -skf "$O/database/1/c/development/private/assets/upload?$Q" \
                -d '{"tokens": [{"recordType": "Note", "fieldName": "file"}]}' | jq -r '.tokens[0].url')
            curl -skf --data-binary @large "$url" | jq -c .singleFile
            """)
        #expect(receipt.contains(#""size":50000000"#), "\(receipt)")
        let saved = try await setup.curl(
            """
            cat >save <<'END'
            {"operations": [{"operationType": "create", "record": {"recordName": "n", "recordType": "Note",
                "fields": {"file": {"value": \(receipt.trimmed)}}}}]}
            END
            curl -skf "$O/database/1/c/development/private/records/modify?$Q" -d @save >/dev/null
            url=$(curl -skf "$O/database/1/c/development/private/records/lookup?$Q" \
                -d '{"records": [{"recordName": "n"}]}' | jq -r '.records[0].fields.file.value.downloadURL')
            curl -skf "${url/'${f}'/file}" | cmp - large && echo same
            """)
        #expect(saved.trimmed == "same")
        let refused = try await setup.curl(
            """
            head -c 17000000 /dev/zero | tr '\\0' ' ' >space
            good=0
            for _ in $(seq 200); do
                status=$(curl -sk --http1.1 "$O/database/1/c/development/private/records/modify?$Q" \
                    --data-binary @space -o answer -w '%{http_code}') &&
                    [ "$status" = 413 ] && grep -q limit.requestBytes answer && good=$((good + 1))
                case $status in 413|100|000) ;; *) echo "$status"; cat answer;; esac
                if [ $good = 4 ]; then break; fi
            done
            echo $good
            """)
        // A client that sends on while the proxy closes may miss its answer; none is sent another, such as the proxy's
        // 502 for a connection that the server was about to close.
        #expect(refused.trimmed == "4")
    }

    /// Polls wait and streams come as they are written; one connection takes request after request.
    private func waits(_ setup: Setup) async throws {
        let url = try await setup.curl(
            """
            curl -skf "$O/device/1/c/development/tokens/create?$Q" -d '{"apnsEnvironment": "development"}' |
                jq -r .webcourierURL
            """
        ).trimmed
        let poll = try await setup.curl("curl -sk '\(url)' -o /dev/null -w '%{http_code} %{time_starttransfer}'")
        let words = poll.split(separator: " ")
        #expect(words.first == "204" || words.first == "200", "\(poll)")
        #expect(words.last.flatMap { Double($0) } ?? 0 >= 3, "\(poll)")
        // A second sign of life ends the reading; a proxy that gathers answers has none to show.
        let stream = try await setup.curl(
            """
            timeout 60 curl -skN -H 'Accept: text/event-stream' '\(url.replacing("/aps?", with: "/events?"))' |
                while read -r line; do
                    case $line in :*) count=$((${count:-0} + 1));; esac
                    if [ "${count:-0}" = 2 ]; then echo two; break; fi
                done || true
            """)
        #expect(stream.trimmed == "two", "\(stream)")
        let reused = try await setup.curl(
            "curl -sk --http1.1 $O/health $O/ready $O/health -o /dev/null -o /dev/null -o /dev/null -w '%{num_connects} '"
        )
        #expect(reused.trimmed == "1 0 0")
    }

    /// The client's own address reaches the server, whatever it claims, and the operators' paths stay inside.
    private func addresses(_ setup: Setup, _ proxy: Proxy) async throws {
        let id = try await setup.curl(
            """
            curl -4 -sk --interface 127.0.0.2 -H 'X-Forwarded-For: 203.0.113.9' -D - -o /dev/null $O/nothing |
                tr -d '\\r' | sed -n 's/^x-apple-request-uuid: //Ip'
            """
        ).trimmed
        let record = try await setup.curl(
            """
            curl -sf http://127.0.0.1:\(setup.plainPort)/admin/1/requests/\(id) \
                -H 'Authorization: Bearer \(setup.management)'
            """)
        #expect(record.contains(#""address":"127.0.0.2""#), "\(record)")
        let page = try await setup.curl("curl -sk $O/ -H 'Accept: text/html' -D - -o /dev/null")
        #expect(page.lowercased().contains("strict-transport-security: "), "\(page)")
        let inside = try await setup.curl(
            """
            for path in admin admin/1/containers console console/data administration; do
                curl -sk $O/$path -o /dev/null -w '%{http_code} '
            done
            """)
        // The page lets the operators' own network through: of nginx another than this one.
        #expect(inside.trimmed == (proxy == .nginx ? "403 403 403 403 404" : "404 401 403 403 404"), "\(inside)")
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

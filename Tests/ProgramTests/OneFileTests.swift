import CloudModel
import Foundation
import Testing

/// The program alone: a copy under another name in a folder with nothing else, called from a folder of somebody's app.
@Suite(.timeLimit(.minutes(10)))
struct OneFileTests {
    let cumulus: Program

    init() throws {
        cumulus = try Program()
    }

    /// How the copy in `bin/renamed` is called.
    static let ways = ["../bin/renamed", "../link", "linked"]

    private static let setUp = """
        cd "$(dirname "$0")"
        mkdir bin path app
        cp '\(Program.executable.path())' bin/renamed
        ln -s bin/renamed link
        ln -s ../bin/renamed path/linked
        export PATH=$PWD/path:/usr/bin:/bin
        cd app

        """

    @Test("exec runs by path, through a link and from PATH in an app's folder, and leaves no files", arguments: ways)
    func exec(way: String) async throws {
        let outcome = try await cumulus.bash(Self.setUp + "\(way) exec -- true\nls -A . ../bin")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == ".:\n\n../bin:\nrenamed\n")
    }

    @Test("The program alone serves every page, style, script and the client", arguments: ways)
    func pages(way: String) async throws {
        let script =
            Self.setUp + """
                mkfifo said
                \(way) serve --dev --port 0 --data ../data >said &
                server=$!
                trap 'kill $server' EXIT
                origin=$(grep -m 1 -o 'http://127[^ ,]*' said)
                answer() { curl -sS -H 'Accept: text/html' -o answer -w "$1 %{http_code} %{content_type}\\n" -L "$origin$1"; }
                container=iCloud.com.example.notes
                key=$(printf 'd0%.0s' {1..32})
                token=$(curl -sS "$origin/auth/dev/session" -d '{"container": "'$container'", "environment": "development",
                    "email": "ann@example.com"}' | jq -r '.ckWebAuthToken | @uri')
                modify() {
                    curl -sS "$origin/database/1/$container/development/private/$1/modify?ckAPIToken=$key&ckWebAuthToken=$token" \\
                        -d "$2"
                }
                zone='"zoneID": {"zoneName": "Trip"}'
                modify zones '{"operations": [{"operationType": "create", "zone": {'"$zone"'}}]}' >answer
                tag=$(modify records '{'"$zone"', "operations": [{"operationType": "create", "record": {"recordName": "trip",
                    "recordType": "Trip", "fields": {"title": {"value": "Alps"}}}}]}' | jq -r '.records[0].recordChangeTag')
                share=$(modify records '{'"$zone"', "operations": [{"operationType": "create", "record": {"recordName": "share",
                    "recordType": "cloudkit.share", "forRecord": {"recordName": "trip", "recordChangeTag": "'$tag'"},
                    "fields": {"cloudkit.title": {"value": "Our trip"}}, "publicPermission": "READ_ONLY"}}]}' |
                    jq -r '.records[0].shortGUID')
                answer /share/$share | sed "s/$share/GUID/"
                grep -c 'Our trip' answer >&2
                for page in / /account /console /client/cumulus.js /client/lib/sync/merge.js; do answer $page; done
                style=$(curl -sS -H 'Accept: text/html' "$origin/" | grep -o '/static/[^"]*\\.css' | head -1)
                answer "$style" | sed 's#/static/[^/]*/#/static/DIGEST/#'
                """
        let outcome = try await cumulus.bash(script)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors != "0\n")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 7)
        for line in lines { #expect(line.contains(" 200 "), "\(line)") }
        #expect(lines.filter { $0.contains("text/html") }.count == 4, "\(lines)")
        #expect(lines.filter { $0.contains("javascript") }.count == 2, "\(lines)")
        #expect(lines.filter { $0.contains("text/css") }.count == 1, "\(lines)")
    }
}

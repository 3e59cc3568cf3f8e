@testable import CloudHTTP
@testable import CloudServer
import CloudModel
import Foundation
import NIOCore
import Testing

struct MetricsTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private func record(_ route: String, status: Int, _ error: ServerError? = nil) -> RequestRecord {
        let trace = RequestTrace(id: "1")
        if let error { trace.refuse(error) }
        trace.note(user: "_planted")
        let row = RouteRow("/planted", name: route, [.get], .wire) { _, _ in nil }
        let match = Router.Match(row: row, values: PathValues())
        let request = HTTPRequest(method: .get, authority: "planted", path: "/planted")
        return RequestRecord(
            trace, time: Timestamp(milliseconds: 0), request, match, address: "planted", status: status, bytesOut: 0)
    }

    @Test("Requests are counted by route and code and refusals by reason, without user names")
    func requests() {
        let metrics = ServerMetrics()
        for _ in 0..<3 { metrics.note(record("zones/list", status: 200)) }
        metrics.note(record("zones/list", status: 404, ServerError(.notFound, "\("planted")", .missing(.zone))))
        metrics.committed(5, in: .milliseconds(3))
        let text = metrics.registry.text()
        #expect(text.contains(#"cumulus_requests_total{code="OK",route="zones/list"} 3"# + "\n"))
        #expect(text.contains(#"cumulus_requests_total{code="NOT_FOUND",route="zones/list"} 1"# + "\n"))
        #expect(text.contains(#"cumulus_request_seconds_count{route="zones/list"} 4"# + "\n"))
        #expect(text.contains(#"cumulus_refusals_total{reason="missing"} 1"# + "\n"))
        #expect(text.contains(#"cumulus_refusals_total{reason="limit"} 0"# + "\n"))
        #expect(text.contains(#"cumulus_writer_group_size_bucket{le="8"} 1"# + "\n"))
        #expect(text.contains(#"cumulus_commit_seconds_bucket{le="0.0025"} 0"# + "\n"))
        #expect(text.contains(#"cumulus_commit_seconds_bucket{le="+Inf"} 1"# + "\n"))
        #expect(!text.contains("planted"))
    }

    @Test("New label values past the limit are dropped, and existing series continue")
    func bounded() {
        let metrics = ServerMetrics()
        for number in 0..<5000 { metrics.note(record("route\(number)", status: 200)) }
        for _ in 0..<2 { metrics.note(record("route1", status: 200)) }
        let text = metrics.registry.text()
        #expect(text.split(separator: "\n").filter { $0.hasPrefix("cumulus_requests_total{") }.count == 2000)
        #expect(text.contains(#"cumulus_requests_total{code="OK",route="route1"} 3"#))
    }

    @Test("Label values are escaped")
    func escaped() {
        let metrics = ServerMetrics()
        metrics.set("g", to: 1, ("l", "a\"b\\c\nd"))
        #expect(metrics.registry.text().contains(#"g{l="a\"b\\c\nd"} 1"#))
    }

    @Test("Every metric has its row in docs/metrics.md, and dashboard and rules name no others")
    func documented() throws {
        let page = try String(contentsOf: Self.folder.appending(path: "docs/metrics.md"), encoding: .utf8)
        for (name, help) in MetricCatalog.help {
            #expect(page.contains("| `\(name)`") && page.contains(help), "\(name)")
        }
        for file in ["docs/metrics/board.json", "docs/metrics/alerts.yml"] {
            let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
            for match in text.matches(of: #/cumulus_[a-z_]+/#) {
                let name = String(match.output).replacing(#/_(bucket|sum|count)$/#, with: "")
                #expect(MetricCatalog.help[name] != nil, "\(name) in \(file)")
            }
        }
        #expect(
            (try JSONParser.parse(Array(Data(contentsOf: Self.folder.appending(path: "docs/metrics/board.json")))))
                .object != nil)
    }

    @Test(
        "A metrics address is a host and a port",
        arguments: [
            ("127.0.0.1:9464", "127.0.0.1", 9464), ("[::1]:0", "::1", 0), ("localhost:1", "localhost", 1),
            ("127.0.0.1", nil, 0), (":80", nil, 0), ("a:99999", nil, 0), ("a:1/x", nil, 0), ("", nil, 0),
        ] as [(String, String?, Int)])
    func address(text: String, host: String?, port: Int) {
        let address = HostAndPort(text)
        #expect(address?.host == host)
        if host != nil { #expect(address?.port == port && address?.text == text) }
    }
}

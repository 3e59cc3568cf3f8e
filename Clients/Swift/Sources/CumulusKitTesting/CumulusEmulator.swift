import CumulusKit
import Foundation

/// Controls a development server for a container: seeds, snapshots, faults, and the clock, which is shared by all containers.
///
/// Refused calls throw a ``CKError`` with the server's reason.
public struct CumulusEmulator: Sendable {
    private let origin: String
    private let identifier: String
    private let transport: URLSessionTransport

    public init(origin: String, identifier: String) {
        self.origin = origin
        self.identifier = identifier
        transport = URLSessionTransport()
    }

    /// Adds people, zones and records, given as a JSON object per line.
    public func seed(_ lines: String) async throws {
        try await send("POST", container("seed"), Data(lines.utf8))
    }

    /// Deletes the container's data; accounts and sessions stay.
    public func reset(keepSchema: Bool = false) async throws {
        try await send("POST", container("reset"), json: ["keepSchema": keepSchema])
    }

    public func takeSnapshot(_ name: String) async throws { try await send("PUT", snapshot(name)) }
    public func deleteSnapshot(_ name: String) async throws { try await send("DELETE", snapshot(name)) }

    /// Restores a snapshot. Change tokens issued since the snapshot are refused; older tokens stay valid unless `keepsTokens`
    /// is false.
    public func restore(_ name: String, keepsTokens: Bool = true) async throws {
        try await send("POST", snapshot(name) + "/restore", json: ["syncTokens": keepsTokens ? "kept" : "refused"])
    }

    public func advanceClock(by time: Duration) async throws {
        try await send("PUT", "/emulator/1/clock", json: ["advance": time / .seconds(1)])
    }

    public func freezeClock() async throws { try await send("PUT", "/emulator/1/clock", json: ["freeze": true]) }
    public func runClock() async throws { try await send("PUT", "/emulator/1/clock", json: ["run": true]) }

    /// A fault injected into requests of this container. The members match `/emulator/1/faults`.
    public struct Fault: Encodable, Sendable {
        public var route: String?
        public var user: String?
        public var recordType: String?
        public var nth: Int?
        public var count: Int?
        public var probability: Double?
        public var seed: Int?
        public var error: String?
        public var retryAfter: Int?
        public var hangUp: HangUp?
        /// Milliseconds.
        public var latency: Int?
        public var operation: Int?
        public var pageSize: Int?
        /// The fault of change tokens.
        public var syncToken: SyncToken?
        /// The bandwidth of uploads and answers, in bytes per second.
        public var bandwidth: Int?
        /// Bytes of an upload, or else of the answer, before the connection is cut.
        public var cutAt: Int?
        /// A fault of notifications instead of requests.
        public var push: Push?
        fileprivate var container: String?

        /// When the connection is cut: before or after processing the request.
        public enum HangUp: String, Encodable, Sendable { case before, after }

        /// The server refuses sync tokens as if expired.
        public enum SyncToken: String, Encodable, Sendable { case refused }

        /// The fault of a notification; `late` and `swapped` need a latency.
        public enum Push: String, Encodable, Sendable { case lost, twice, late, swapped }

        public init(route: String? = nil, nth: Int? = nil, error: String? = nil, hangUp: HangUp? = nil) {
            self.route = route
            self.nth = nth
            self.error = error
            self.hangUp = hangUp
        }
    }

    public func add(_ fault: Fault) async throws {
        var fault = fault
        fault.container = identifier
        try await send("POST", "/emulator/1/faults", json: fault)
    }

    /// Removes the faults of all containers.
    public func removeFaults() async throws { try await send("DELETE", "/emulator/1/faults") }

    /// A recommended change to a client.
    public struct Finding: Decodable, Sendable {
        /// The rule's name, such as `moreComing`; docs/ci.md lists all rules.
        public let rule: String
        /// The observed behaviour; `advice` recommends a change.
        public let text: String
        public let advice: String
        /// The number of occurrences.
        public let count: Int
        fileprivate let container: String
    }

    /// Starts watching the clients of all containers.
    public func startLint() async throws { try await send("POST", "/emulator/1/lint") }

    /// Recommended changes to clients of this container.
    public func lint() async throws -> [Finding] {
        struct Answer: Decodable { let findings: [Finding] }
        let answer = try await send("GET", "/emulator/1/lint")
        return try JSONDecoder().decode(Answer.self, from: answer).findings.filter { $0.container == identifier }
    }

    // MARK: Requests

    private func container(_ rest: String) -> String { "/emulator/1/containers/\(Self.encoded(identifier))/\(rest)" }
    private func snapshot(_ name: String) -> String { container("snapshots/\(Self.encoded(name))") }

    private static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~"))) ?? text
    }

    private func send(_ method: String, _ path: String, json: some Encodable) async throws {
        try await send(method, path, try JSONEncoder().encode(json))
    }

    @discardableResult
    private func send(_ method: String, _ path: String, _ body: Data? = nil) async throws -> Data {
        guard let url = URL(string: origin + path) else { throw CKError(.invalidArguments, "\(origin) is no URL.") }
        let answer = try await transport.send(HTTPRequest(method: method, url: url, body: body))
        guard answer.status != 200 else { return answer.body }
        struct Refusal: Decodable { let reason: String }
        let refusal = try? JSONDecoder().decode(Refusal.self, from: answer.body)
        throw CKError(.serverRejectedRequest, refusal?.reason ?? "The server answered \(answer.status).")
    }
}

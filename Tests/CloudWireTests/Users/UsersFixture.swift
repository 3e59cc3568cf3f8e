@testable import CloudHTTP
@testable import CloudServer
import CloudWire
import TestCloud
import CloudModel
import Logging
import NIOCore

/// A server with one container, asked through its own front door.
struct UsersFixture {
    let base: AuthenticationFixture
    let apiToken: String
    private let configuration: ServerConfiguration

    init(usersPerRequest: Int = 200) async throws {
        base = try AuthenticationFixture()
        apiToken = try await base.apiToken()
        var configuration = ServerConfiguration()
        configuration.limits.usersPerRequest = usersPerRequest
        self.configuration = configuration
    }

    /// The record name of a user and the query that signs requests in as them.
    func user(_ email: String) async throws -> (recordName: String, query: String) {
        let query = "ckAPIToken=\(apiToken)&ckWebAuthToken=\(try await base.webAuthToken(email: email))"
        guard let name = try await base.identify(query: query).caller.userRecordName else { throw NotSignedIn() }
        return (name, query)
    }

    struct NotSignedIn: Error {}

    /// Status and JSON of the answer to a GET.
    func ask(_ path: String, query: String, headers: HTTPFields = [:]) async throws -> (status: Int, json: JSONObject) {
        try await ask(.get, path, query: query, headers: headers)
    }

    /// Status and JSON of the answer.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, query: String, headers: HTTPFields = [:], _ body: String = ""
    ) async throws -> (status: Int, json: JSONObject) {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        // A server closes its accounts when it stops, so each has its own.
        let application = try buildApplication(
            configuration: configuration, pages: TestServer.pages.get(), folder: base.folder, accounts: base.open(),
            logger: logger)
        return try await application.test(.router) { client in
            let uri = "/database/1/c/development/\(path)" + (query.isEmpty ? "" : "?\(query)")
            return try await client.execute(uri: uri, method: method, headers: headers, body: ByteBuffer(string: body))
            {
                ($0.status.code, try JSONParser.parse(Array(buffer: $0.body)).members)
            }
        }
    }
}

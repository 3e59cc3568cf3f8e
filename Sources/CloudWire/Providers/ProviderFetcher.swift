import AsyncHTTPClient
import CloudIdentity
import CloudModel
import NIOCore
package import NIOHTTP1

/// A provider's answer.
package struct ProviderResponse: Sendable {
    package let status: Int
    package let headers: HTTPHeaders
    /// At most ``ProviderSettings/longestAnswer`` bytes.
    package let body: [UInt8]
}

/// Makes single requests to providers: bounded in time and size, without redirects, to a checked address.
package struct ProviderFetcher: Sendable {
    private let settings: ProviderSettings
    private let addresses: ProviderAddresses

    package init(_ settings: ProviderSettings, addresses: ProviderAddresses = ProviderAddresses()) {
        self.settings = settings
        self.addresses = addresses
    }

    package struct Call: Sendable {
        var url: String
        /// The form to post; nil for GET.
        var form: String?
        var headers: HTTPHeaders = [:]
        /// The URL that the operator named; nil to trust the host of `url` like that.
        var issuer: String?
        var allowsHTTP = false
        /// Whether a redirect is an answer, to be looked at and not followed.
        var answersRedirects = false

        package init(
            _ url: String, form: String? = nil, headers: HTTPHeaders = [:], issuer: String? = nil,
            allowsHTTP: Bool = false
        ) {
            self.url = url
            self.form = form
            self.headers = headers
            self.issuer = issuer
            self.allowsHTTP = allowsHTTP
        }
    }

    /// Sends a request.
    ///
    /// - Throws: for a URL or address that is not allowed, and for redirects, slow and long answers. Other statuses are
    ///   answers.
    package func fetch(_ call: Call) async throws(ProviderFault) -> ProviderResponse {
        try await outcome(of: call).get()
    }

    /// Like ``fetch(_:)``, with the fault as a value.
    func outcome(of call: Call) async -> Result<ProviderResponse, ProviderFault> {
        let outcome = await withTaskGroup(of: Result<ProviderResponse, ProviderFault>?.self) { group in
            group.addTask { await send(call) }
            group.addTask { [timeout = settings.timeout] in
                try? await Task.sleep(for: timeout)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        return outcome ?? .failure(.late(Int((settings.timeout / .seconds(1)).rounded(.up))))
    }

    private func send(_ call: Call) async -> Result<ProviderResponse, ProviderFault> {
        do throws(ProviderFault) {
            let target = try await target(of: call)
            let client = Self.client(for: target, within: settings.timeout)
            let answer = await Self.answer(of: client, call, target)
            try? await client.shutdown()
            return answer
        } catch {
            return .failure(error)
        }
    }

    private struct Target {
        let url: ProviderURL
        let address: IPAddress
    }

    private func target(of call: Call) async throws(ProviderFault) -> Target {
        let asked = try Self.url(call.url, allowsHTTP: call.allowsHTTP)
        if let standIn = settings.standIns[asked.origin] {
            let url = try Self.url(standIn + asked.text.dropFirst(asked.origin.count), allowsHTTP: true)
            return Target(url: url, address: try await addresses.address(of: url.host, issuer: nil))
        }
        let issuer = call.issuer.flatMap { try? ProviderURL($0, allowsHTTP: true) }?.host
        return Target(url: asked, address: try await addresses.address(of: asked.host, issuer: issuer))
    }

    private static func url(_ text: String, allowsHTTP: Bool) throws(ProviderFault) -> ProviderURL {
        do { return try ProviderURL(text, allowsHTTP: allowsHTTP) } catch { throw .url(error) }
    }

    /// A client for one request, which resolves the host to the checked address alone.
    private static func client(for target: Target, within time: Duration) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.dnsOverride = [target.url.host: target.address.text]
        configuration.timeout.connect = TimeAmount(time) + .seconds(1)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(configuration: configuration)
    }

    private static func answer(
        of client: HTTPClient, _ call: Call, _ target: Target
    ) async -> Result<ProviderResponse, ProviderFault> {
        var request = HTTPClientRequest(url: target.url.text)
        request.headers = call.headers
        request.headers.add(name: "user-agent", value: "Cumulus")
        if !call.headers.contains(name: "accept") { request.headers.add(name: "accept", value: "application/json") }
        if let form = call.form {
            request.method = .POST
            request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
            request.body = .bytes(ByteBuffer(string: form))
        }
        do {
            // The caller enforces the timeout by cancelling.
            let response = try await client.execute(request, deadline: .distantFuture)
            let status = Int(response.status.code)
            guard call.answersRedirects || !(300..<400).contains(status) else { return .failure(.redirect) }
            let body = try await response.body.collect(upTo: ProviderSettings.longestAnswer)
            return .success(
                ProviderResponse(status: status, headers: response.headers, body: Array(body.readableBytesView)))
        } catch is NIOTooManyBytesError {
            return .failure(.size)
        } catch {
            // Errors of the client name hosts and causes, and no content.
            return .failure(.connection("no connection to \(target.url.host): " + String("\(error)".prefix(200))))
        }
    }
}

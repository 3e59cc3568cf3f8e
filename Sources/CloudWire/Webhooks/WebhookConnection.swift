import CloudHTTP
import AsyncHTTPClient
package import CloudModel
import NIOCore
package import NIOHTTP1

/// Posts to a webhook, over a connection kept while the host's address stays the same.
package actor WebhookConnection {
    package enum Outcome: Hashable, Sendable {
        case delivered
        /// The receiver has unsubscribed (410 Gone).
        case gone
        case failed(String)
    }

    private let url: WebhookURL
    private let addresses: WebhookAddresses
    private let timeout: Duration
    private var client: (address: IPAddress, client: HTTPClient)?

    /// The limit on answer bytes read and discarded; a fully read answer lets the connection be reused.
    private static let mostRead = 64 << 10

    package init(to url: WebhookURL, addresses: WebhookAddresses, timeout: Duration) {
        self.url = url
        self.addresses = addresses
        self.timeout = timeout
    }

    /// Closes the connection; the last call.
    package func close() async {
        try? await client?.client.shutdown()
        client = nil
    }

    /// Makes one attempt.
    ///
    /// - Parameter number: the attempt number of the message; attempts rotate through the host's addresses.
    package func post(_ body: [UInt8], headers: HTTPHeaders, attempt number: Int) async -> Outcome {
        let tooLong = Outcome.failed("no answer within \(Int((timeout / .seconds(1)).rounded(.up))) s")
        return await withTaskGroup(of: Outcome?.self) { group in
            group.addTask { await self.send(body, headers, number) }
            group.addTask { [timeout] in
                try? await Task.sleep(for: timeout)
                return nil
            }
            var isLate = false
            for await outcome in group {
                group.cancelAll()
                guard let outcome else {
                    isLate = true
                    continue
                }
                if case .failed = outcome, isLate { return tooLong }
                return outcome
            }
            return tooLong
        }
    }

    private func send(_ body: [UInt8], _ headers: HTTPHeaders, _ number: Int) async -> Outcome {
        do {
            let addresses = try await addresses.permitted(of: url.host)
            let client = await client(at: addresses[number % addresses.count])
            var request = HTTPClientRequest(url: url.text)
            request.method = .POST
            request.headers = headers
            request.headers.add(name: "content-type", value: "application/json")
            request.headers.add(name: "user-agent", value: "Cumulus")
            request.body = .bytes(ByteBuffer(bytes: body))
            // The caller enforces the timeout by cancelling, so that two deadlines do not race.
            let response = try await client.execute(request, deadline: .distantFuture)
            let outcome = Self.outcome(of: response.status)
            await Self.drain(response.body)
            return outcome
        } catch let refusal as WebhookAddresses.Refusal {
            return .failed(refusal.description)
        } catch let failure as HostLookup.Failure {
            return .failed(failure.description)
        } catch {
            return .failed("no connection: " + String("\(error)".prefix(200)))
        }
    }

    private static func outcome(of status: HTTPResponseStatus) -> Outcome {
        switch status.code {
        case 200..<300: .delivered
        case 410: .gone
        default: .failed("status \(status.code)")
        }
    }

    private static func drain(_ body: HTTPClientResponse.Body) async {
        var count = 0
        do {
            for try await part in body {
                count += part.readableBytes
                if count > mostRead { return }
            }
        } catch {
            // A broken body is ignored, because the status is already known.
        }
    }

    /// A client that resolves the host to this address alone and follows no redirects.
    private func client(at address: IPAddress) async -> HTTPClient {
        if let client, client.address == address { return client.client }
        await close()
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.dnsOverride = [url.host: address.text]
        configuration.timeout.connect = TimeAmount(timeout) + .seconds(1)
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(configuration: configuration)
        self.client = (address, client)
        return client
    }
}

import AsyncHTTPClient
import CloudModel
import Foundation
import NIOCore
import NIOHTTP1

/// A request to the public origin, as reported back by the server.
struct RouteReport {
    /// The request target as received by the server.
    let target: String
    let host: String
    let address: String
    let isForwarded: Bool
    /// The time between the first part of the answer and its end. The server sends the end a second after the beginning.
    let gap: Duration

    /// A path with the elements that proxies tend to rewrite: escapes, double slashes, an empty value, a plus sign.
    static let target = "/doctor/a%2Fb//%7Ec/%41;d?x=%20&y=1+2&z="
    /// A documentation address (RFC 5737), which the request claims as its origin.
    static let claimed = "203.0.113.77"

    private static let largest = 1 << 16

    /// - Returns: nil if the answer comes from a server that does not know the token.
    static func fetch(from origin: String, token: String) async throws -> RouteReport? {
        try await HTTPClient.withHTTPClient(configuration: ManagementClient.configuration) { client in
            var request = HTTPClientRequest(url: origin + target)
            request.headers.add(name: "Authorization", value: "Bearer \(token)")
            request.headers.add(name: "X-Forwarded-For", value: claimed)
            let response = try await client.execute(request, timeout: .seconds(15))
            var (bytes, first) = ([UInt8](), nil as ContinuousClock.Instant?)
            for try await part in response.body {
                if first == nil { first = .now }
                bytes += part.readableBytesView
                guard bytes.count <= largest else { return nil }
            }
            guard response.status == .ok, let first, let object = (try? JSONParser.parse(bytes))?.object else {
                return nil
            }
            return RouteReport(object, first.duration(to: .now))
        }
    }

    private init?(_ object: JSONObject, _ gap: Duration) {
        guard let target = object["target"]?.string, let host = object["host"]?.string,
            let address = object["address"]?.string, case .bool(let isForwarded) = object["isForwarded"]
        else { return nil }
        (self.target, self.host, self.address, self.isForwarded, self.gap) = (target, host, address, isForwarded, gap)
    }
}

import Foundation

/// A bucket of an S3-compatible store, with its address and credentials.
package struct S3Bucket: Sendable {
    /// Scheme and host, with any nonstandard port.
    let endpoint: URL
    let region: String
    let name: String
    /// The prefix of all object keys; empty or ending in a slash.
    let prefix: String
    /// True for path-style requests, false for the bucket as part of the host.
    let isInPath: Bool
    let credentials: S3Credentials

    /// - Parameters:
    ///   - url: `s3://bucket` or `s3://bucket/prefix`.
    ///   - endpoint: nil for AWS.
    /// - Returns: nil for an invalid `url` or `endpoint`.
    package init?(url: String, endpoint: String?, region: String, isInPath: Bool, credentials: S3Credentials) {
        let parts = url.dropFirst("s3://".count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard url.hasPrefix("s3://"), let name = parts.first, !name.isEmpty,
            let endpoint = URL(string: endpoint ?? "https://s3.\(region).amazonaws.com"), endpoint.host() != nil,
            ["http", "https"].contains(endpoint.scheme), ["", "/"].contains(endpoint.path())
        else { return nil }
        let prefix = (parts.count > 1 ? parts[1] : "").split(separator: "/").joined(separator: "/")
        self.endpoint = endpoint
        self.region = region
        self.name = String(name)
        self.prefix = prefix.isEmpty ? "" : prefix + "/"
        self.isInPath = isInPath
        self.credentials = credentials
    }

    /// The storage place, in an operator's terms.
    var place: String { "s3://\(name)/\(prefix) at \(origin)" }

    /// The host in requests, with the endpoint's port.
    var host: String {
        let host = (isInPath ? "" : name + ".") + (endpoint.host() ?? "")
        return endpoint.port.map { "\(host):\($0)" } ?? host
    }

    var origin: String { "\(endpoint.scheme ?? "https")://\(host)" }

    /// The encoded path of an object, or of the bucket if `key` is empty.
    func path(of key: String) -> String {
        (isInPath ? "/\(name)" : "") + (key.isEmpty && isInPath ? "" : "/" + AWSSignature.encode(key, keeping: "/"))
    }
}

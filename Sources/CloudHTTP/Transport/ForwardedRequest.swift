/// Detects requests that came through a proxy.
package enum ForwardedRequest {
    /// The first header that proxies add and clients do not; nil for a direct request.
    ///
    /// A direct client that forges the header only loses privileges.
    package static func field(_ headers: HTTPFields) -> HTTPField.Name? {
        headers.lazy.map(\.name).first { name in
            names.contains(name.canonicalName) || prefixes.contains { name.canonicalName.hasPrefix($0) }
        }
    }

    private static let prefixes = ["x-forwarded", "x-original-", "x-envoy-", "x-azure-"]

    private static let names: Set<String> = [
        "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "x-proxyuser-ip", "true-client-ip",
        "cf-connecting-ip", "cf-ray", "cdn-loop", "fastly-client-ip", "x-amzn-trace-id", "x-arr-log-id",
    ]
}

/// Tells requests that a proxy has passed on from those that come straight from their sender.
enum ForwardedRequest {
    /// The field that proxies add and clients do not; nil where a request has none.
    ///
    /// Whoever sends one without a proxy only takes from themselves.
    static func field(_ headers: HTTPFields) -> HTTPField.Name? {
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

/// Bounds of requests to providers.
package struct ProviderSettings: Sendable {
    /// The time for one request, from the lookup of the host to the last byte.
    package var timeout = Duration.seconds(10)
    /// Requests to one provider at a time.
    package var fetches = 16
    /// Further requests to a provider that wait for their turn.
    package var waiting = 200
    /// Origins that stand in for others, such as `https://github.com`. Only tests set them.
    package var standIns: [String: String] = [:]

    /// The longest answer, in bytes.
    package static let longestAnswer = 256 * 1024
    /// The time that a discovery document is good, in seconds.
    package static let discoveryLifetime: Int64 = 86_400

    package init() {}
}

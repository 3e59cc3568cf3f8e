import CloudAssets
import Foundation
import Logging

/// The place of assets, as it was configured.
struct AssetSettings: Sendable {
    /// `s3://bucket/prefix` or `file:///folder`; nil for the data folder.
    var url: String?
    var bucket = BucketSettings()
    /// True if downloads redirect to the bucket.
    var redirect = false

    /// Seconds that a link to the bucket is good for.
    private static let linkSeconds = 300
    /// The time that a file in a folder of several servers' stays before a sweep takes it for nobody's.
    static let sharedAge = Duration.seconds(86_400)

    /// The place that is set; nil for the data folder.
    ///
    /// - Parameters:
    ///   - data: the data folder, for what is on its way to a bucket.
    ///   - leastAge: the time that a file stays which no record names, though it is in a folder.
    /// - Throws: a complaint about a setting that does not do.
    func backend(
        data: String, leastAge: Duration = .zero,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (any AssetBackend)? {
        guard let url else { return nil }
        if url.hasPrefix("file:///") {
            return DiskAssets(root: String(url.dropFirst("file://".count)), leastAge: leastAge)
        }
        let place = try bucket.bucket(url, from: "assets.url", group: "assets", environment: environment)
        var options = S3Options()
        options.checksums = bucket.checksums
        options.linkSeconds = redirect ? Self.linkSeconds : nil
        return S3Assets(
            bucket: place, spool: data + "/containers", options: options, logger: Logger(label: "cumulus"))
    }
}

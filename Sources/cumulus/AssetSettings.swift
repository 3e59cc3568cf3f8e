import CloudAssets
import Foundation
import Logging

/// The configured storage of assets.
struct AssetSettings: Sendable {
    /// `s3://bucket/prefix` or `file:///folder`; nil for the data folder.
    var url: String?
    var bucket = BucketSettings()
    /// True if downloads redirect to the bucket.
    var redirect = false

    /// The lifetime of a bucket link, in seconds.
    private static let linkSeconds = 300
    /// How long the sweep keeps unknown files in a folder shared by several servers.
    static let sharedAge = Duration.seconds(86_400)

    /// The configured backend; nil for the data folder.
    ///
    /// - Parameters:
    ///   - data: the data folder, which holds files being uploaded to a bucket.
    ///   - leastAge: how long a shared folder keeps files without a record.
    /// - Throws: ``Complaint`` for an invalid setting.
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

import CloudAssets
import CloudSQLite
import CloudStore
import Foundation
import Logging

/// The place of assets, as it was configured.
struct AssetSettings: Sendable {
    /// `s3://bucket/prefix` or `file:///folder`; nil for the data folder.
    var url: String?
    /// Of S3; nil for AWS.
    var endpoint: String?
    var region = "us-east-1"
    /// True if requests name the bucket in their path.
    var pathStyle = false
    /// A file with the access key; nil for the environment.
    var credentialsFile: String?
    /// True if downloads redirect to the bucket.
    var redirect = false

    /// Seconds that a link to the bucket is good for.
    private static let linkSeconds = 300

    /// The place that is set; nil for the data folder.
    ///
    /// - Parameter data: the data folder, for what is on its way to a bucket.
    /// - Throws: a complaint about a setting that does not do.
    func backend(
        data: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> (any AssetBackend)? {
        guard let url else { return nil }
        if url.hasPrefix("file:///") { return DiskAssets(root: String(url.dropFirst("file://".count))) }
        guard
            let bucket = S3Bucket(
                url: url, endpoint: endpoint, region: region, isInPath: pathStyle,
                credentials: try credentials(environment))
        else {
            throw Complaint(
                "assets.url must be s3://bucket/prefix or file:///folder, and assets.endpoint an origin such as "
                    + "https://s3.example.com")
        }
        var options = S3Options()
        options.linkSeconds = redirect ? Self.linkSeconds : nil
        return S3Assets(
            bucket: bucket, spool: data + "/containers", options: options, logger: Logger(label: "cumulus"))
    }

    private func credentials(_ environment: [String: String]) throws -> S3Credentials {
        if let credentialsFile {
            let text = FileManager.default.contents(atPath: credentialsFile).map { String(decoding: $0, as: UTF8.self) }
            if let known = text.flatMap(S3Credentials.init(file:)) { return known }
            throw Complaint(
                "\(credentialsFile) (assets.credentialsFile) must be a file that can be read, with lines of "
                    + "aws_access_key_id and aws_secret_access_key")
        }
        if let known = S3Credentials(environment: environment) { return known }
        throw Complaint(
            "assets.url names a bucket; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or "
                + "assets.credentialsFile")
    }
}

extension Settings {
    /// The data folder, made when it is not there.
    func dataFolder() throws -> DataFolder {
        try DataFolder(path: data, engine: SQLiteEngine(), assets: assets.backend(data: data))
    }
}

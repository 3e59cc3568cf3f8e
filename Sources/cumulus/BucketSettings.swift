import CloudAssets
import Foundation

/// The address, region and keys of a bucket, as configured.
struct BucketSettings: Sendable {
    /// Nil for AWS.
    var endpoint: String?
    var region = "us-east-1"
    /// True for path-style URLs, with the bucket in the path.
    var pathStyle = false
    /// Whether uploads carry a separate checksum header.
    var checksums = true
    /// A file with the access key; nil for the environment.
    var credentialsFile: String?

    /// - Parameters:
    ///   - url: `s3://bucket/prefix`.
    ///   - setting: the name of the URL's setting.
    ///   - group: the prefix of the related settings' names.
    /// - Throws: ``Complaint`` for an invalid setting.
    func bucket(
        _ url: String, from setting: String, group: String, environment: [String: String]
    ) throws -> S3Bucket {
        let credentials = try credentials(setting, group, environment)
        guard
            let bucket = S3Bucket(
                url: url, endpoint: endpoint, region: region, isInPath: pathStyle, credentials: credentials)
        else {
            throw Complaint(
                "\(setting) must be s3://bucket/prefix or file:///folder, and \(group).endpoint an origin such as "
                    + "https://s3.example.com")
        }
        return bucket
    }

    private func credentials(
        _ setting: String, _ group: String, _ environment: [String: String]
    ) throws -> S3Credentials {
        if let credentialsFile {
            let text = FileManager.default.contents(atPath: credentialsFile).map { String(decoding: $0, as: UTF8.self) }
            if let known = text.flatMap(S3Credentials.init(file:)) { return known }
            throw Complaint(
                "\(credentialsFile) (\(group).credentialsFile) must be a file that can be read, with lines of "
                    + "aws_access_key_id and aws_secret_access_key")
        }
        if let known = S3Credentials(environment: environment) { return known }
        throw Complaint(
            "\(setting) names a bucket; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or "
                + "\(group).credentialsFile")
    }
}

import Foundation

/// A signing key. Its description omits the secret.
package struct S3Credentials: Sendable, CustomStringConvertible {
    package let accessKey: String
    let secretKey: String
    let sessionToken: String?

    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }

    /// Reads credentials from AWS's environment variables; nil if unset.
    package init?(environment: [String: String]) {
        guard let accessKey = environment["AWS_ACCESS_KEY_ID"], let secretKey = environment["AWS_SECRET_ACCESS_KEY"]
        else { return nil }
        self.init(accessKey: accessKey, secretKey: secretKey, sessionToken: environment["AWS_SESSION_TOKEN"])
    }

    /// Parses lines such as `aws_access_key_id = …`; the last of repeated lines wins. Nil for missing credentials.
    package init?(file text: String) {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2 { values[parts[0].uppercased()] = parts[1] }
        }
        self.init(environment: values)
    }

    package var description: String { accessKey }
}

package import Logging

/// The asset backend for S3-compatible buckets.
package struct S3Assets: AssetBackend {
    private let client: S3Client
    private let spool: String
    private let options: S3Options

    /// - Parameter spool: a local folder for files being uploaded.
    package init(bucket: S3Bucket, spool: String, options: S3Options = S3Options(), logger: Logger) {
        client = S3Client(
            bucket: bucket, checksums: S3Checksums(areSent: options.checksums), patience: options.patience,
            logger: logger)
        self.spool = spool
        self.options = options
    }

    package var place: String { client.bucket.place }

    package func store(folder: String, slots: FileSlots) -> any AssetStore {
        S3AssetStore(
            client: client, prefix: "\(client.bucket.prefix)\(folder)/", incoming: "\(spool)/\(folder)/incoming",
            slots: slots, options: options)
    }

    package func folders(beginningWith prefix: String) async throws -> [String] {
        try await client.folders(client.bucket.prefix + prefix).map {
            String($0.dropFirst(client.bucket.prefix.count).dropLast())
        }
    }

    package func copy(_ files: [AssetFile], from folder: String, to target: String) async throws {
        let prefix = client.bucket.prefix
        for file in files {
            try await client.copy("\(prefix)\(folder)/\(file.name)", to: "\(prefix)\(target)/\(file.name)")
        }
    }

    package func remove(folder: String) async throws {
        try await client.list("\(client.bucket.prefix)\(folder)/") { objects in
            for object in objects { try await client.delete(object.key) }
        }
    }

    package var failures: Int { client.failures.count }

    package func tryOut() async throws { try await S3Trial(client).run() }
    package func look() async throws { try await S3Trial(client).look() }
}

/// Options of a bucket.
package struct S3Options: Sendable {
    /// The lifetime of bucket links in seconds, for redirecting downloads; nil to proxy downloads.
    package var linkSeconds: Int?
    /// Time limit of a request in seconds, besides the time for its bytes.
    package var patience = 5.0
    /// The part size in bytes, and the limit for single uploads.
    package var partSize: Int64 = 64 << 20
    /// Whether uploads carry a separate checksum header besides the signed hash. Turned off after a store refuses the header.
    package var checksums = true
    /// Seconds before the sweep deletes an object or part without a row.
    package var leastAge = 3600.0

    package init() {}
}

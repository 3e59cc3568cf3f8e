import Foundation
package import Logging
import NIOPosix

/// An archive under a prefix in an S3 bucket.
package struct BucketArchive: Archive {
    package let scratch: String
    private let client: S3Client
    private let options: S3Options

    /// - Parameter scratch: a local folder for files being uploaded, for this archive alone.
    package init(bucket: S3Bucket, scratch: String, options: S3Options = S3Options(), logger: Logger) {
        var client = S3Client(
            bucket: bucket, checksums: S3Checksums(areSent: options.checksums), patience: options.patience,
            logger: logger)
        client.refusal = { fault in
            "\(bucket.place) cannot be used (\(fault)); look at the bucket, its access key and backup.endpoint"
        }
        self.client = client
        self.scratch = scratch
        self.options = options
    }

    package var place: String { client.bucket.place }

    package func prepare() async throws -> any ArchiveTurn {
        try await onThread { [scratch] in
            if FileManager.default.fileExists(atPath: scratch) { try FileManager.default.removeItem(atPath: scratch) }
            try Folder.make(scratch)
        }
        for (object, id) in try await client.unfinishedUploads(client.bucket.prefix) {
            try await client.abort(object.key, upload: id)
        }
        return NobodyElse()
    }

    package func local(_ name: String) -> String? { nil }

    package func open(_ name: String) async throws -> (any AssetReading)? {
        try await client.open(key(name))
    }

    package func take(_ path: String, as name: String, sha256: [UInt8]) async throws {
        guard let file = try FileReader(path: path) else { throw FileFault(call: "open", code: ENOENT) }
        try await S3Upload(client: client, key: key(name), file: file, partSize: options.partSize).run(sha256: sha256)
        _ = try await onThread { unlink(path) }
    }

    package func files(in folder: String) async throws -> [String: Int64] {
        let prefix = key(folder) + "/"
        var files: [String: Int64] = [:]
        try await client.list(prefix) { objects in
            for object in objects {
                let name = object.key.dropFirst(prefix.count)
                if !name.contains("/") { files[String(name)] = object.size }
            }
        }
        return files
    }

    package func folders(in folder: String) async throws -> [String] {
        let prefix = key(folder) + "/"
        return try await client.folders(prefix).map { String($0.dropFirst(prefix.count).dropLast()) }
    }

    package func delete(_ name: String) async throws { try await client.delete(key(name)) }

    package func remove(folder: String) async throws {
        try await client.list(key(folder) + "/") { objects in
            for object in objects { try await client.delete(object.key) }
        }
    }

    private func key(_ name: String) -> String { client.bucket.prefix + name }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}

/// A turn without a lock of its own: only the data folder's lock excludes other programs.
private struct NobodyElse: ArchiveTurn {
    func release() {}
}

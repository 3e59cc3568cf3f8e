import CloudModel
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Asset storage in a bucket. Incoming contents are spooled to the local disk, since S3 requires their checksum first.
final class S3AssetStore: AssetStore {
    private let client: S3Client
    private let prefix: String
    private let incoming: String
    private let slots: FileSlots
    private let options: S3Options
    /// Uploads in progress, and uploaded objects whose row may not be written yet.
    private let unconfirmed = Mutex<Set<AssetFile>>([])

    /// - Parameters:
    ///   - prefix: of the keys; ends in a slash.
    ///   - incoming: a local folder for incoming contents, created on demand.
    init(client: S3Client, prefix: String, incoming: String, slots: FileSlots, options: S3Options) {
        self.client = client
        self.prefix = prefix
        self.incoming = incoming
        self.slots = slots
        self.options = options
    }

    func take<Contents: AsyncSequence & Sendable, T: Sendable>(
        _ contents: Contents, limit: Int, keep: @Sendable (TakenAsset) async throws -> (isKept: Bool, T)
    ) async throws -> T where Contents.Element == ByteBuffer {
        let slot = try slots.take()
        defer { withExtendedLifetime(slot) {} }
        let file = AssetFile.unused()
        unconfirmed.withLock { _ = $0.insert(file) }
        defer { unconfirmed.withLock { _ = $0.remove(file) } }
        let description = try await store(contents, limit: limit, as: file)
        do {
            let (isKept, result) = try await keep(TakenAsset(file: file, description: description))
            if !isKept { await drop(file) }
            return result
        } catch {
            await drop(file)
            throw error
        }
    }

    private func store<Contents: AsyncSequence & Sendable>(
        _ contents: Contents, limit: Int, as file: AssetFile
    ) async throws -> AssetDescription where Contents.Element == ByteBuffer {
        let path = "\(incoming)/\(file.name)"
        let arriving = try await onThread { [incoming] in
            try Folder.make(incoming)
            return try IncomingFile(path: path)
        }
        defer { arriving.discard() }
        let description = try await arriving.write(contents, limit: limit)
        guard let whole = try FileReader(path: path) else { throw FileFault(call: "open", code: ENOENT) }
        // If the answer was lost, the object may exist; the sweep deletes it then.
        try await S3Upload(client: client, key: key(of: file), file: whole, partSize: options.partSize)
            .run(sha256: arriving.checksum)
        return description
    }

    /// Deletes an unneeded object, even if the calling task is cancelled. The sweep retries failed deletions.
    private func drop(_ file: AssetFile) async { await Task { try? await delete(file) }.value }

    func open(_ file: AssetFile) async throws -> (any AssetReading)? {
        try await client.open(key(of: file), linkSeconds: options.linkSeconds)
    }

    func delete(_ file: AssetFile) async throws { try await client.delete(key(of: file)) }

    func sweep(known: @Sendable ([AssetFile]) async throws -> Set<AssetFile>) async throws {
        let arrived = try await onThread { [incoming] in
            (try? FileManager.default.contentsOfDirectory(atPath: incoming))?.map(AssetFile.init(name:)) ?? []
        }
        for file in arrived where !isUnconfirmed(file) { unlink("\(incoming)/\(file.name)") }
        for (object, id) in try await client.unfinishedUploads(prefix)
        where object.age >= options.leastAge && !isUnconfirmed(self.file(of: object.key)) {
            try await client.abort(object.key, upload: id)
        }
        try await client.list(prefix) { objects in
            // This order matters: uploads that left `unconfirmed` have their rows by the time `known` looks. Rows of other
            // servers' uploads are written before the object reaches `leastAge`.
            let files = objects.filter { $0.age >= options.leastAge }.map { self.file(of: $0.key) }
            let unconfirmed = unconfirmed.withLock { $0 }
            let known = try await known(files)
            for file in files where !known.contains(file) && !unconfirmed.contains(file) { try await delete(file) }
        }
    }

    private func isUnconfirmed(_ file: AssetFile) -> Bool { unconfirmed.withLock { $0.contains(file) } }

    private func key(of file: AssetFile) -> String { prefix + file.name }
    private func file(of key: String) -> AssetFile { AssetFile(name: String(key.dropFirst(prefix.count))) }

    private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}

extension S3Client {
    /// Opens an object for reading; nil for a missing object.
    func open(_ key: String, linkSeconds: Int? = nil) async throws -> S3Reader? {
        let answer = try await send(
            S3Request(method: "HEAD", key: key) { answer in
                answer.status == 404
                    || answer.isStored && answer.headers.first(name: "content-length").flatMap(Int64.init) != nil
            })
        guard answer.status == 200, let size = answer.headers.first(name: "content-length").flatMap(Int64.init) else {
            return nil
        }
        return S3Reader(client: self, key: key, size: size, linkSeconds: linkSeconds)
    }

    /// Copies an object inside the bucket; a missing source is ignored.
    func copy(_ key: String, to copy: String) async throws {
        _ = try await send(
            S3Request(method: "PUT", key: copy, headers: [("x-amz-copy-source", bucket.path(of: key))]) { answer in
                // S3 reports a late failure of a copy in the body, after status 200.
                answer.status == 404 || answer.status == 200 && S3XML(answer.text).first("ETag") != nil
            })
    }

    /// Deletes an object; accepts a missing object.
    func delete(_ key: String) async throws {
        _ = try await send(
            S3Request(method: "DELETE", key: key) {
                [204, 404].contains($0.status) || $0.status == 200 && $0.body.readableBytes == 0
            })
    }
}

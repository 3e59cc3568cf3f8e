import AsyncHTTPClient
import CloudAccounts
import CloudAssets
import CloudModel
import CloudOperations
import CloudStore
import Foundation
import NIOCore
import NIOHTTP1
import Synchronization

/// A local file for upload, read while being sent.
struct UploadedFile: AsyncSequence, Sendable {
    private static let piece = 256 << 10
    /// The size limit of answers, in bytes.
    private static let largestResponse = 1 << 20

    let path: String
    let size: Int

    /// - Parameter path: a leading `~` is the home folder.
    init(_ path: String) throws {
        self.path = NSString(string: path).expandingTildeInPath
        var isFolder: ObjCBool = false
        let attributes = try? FileManager.default.attributesOfItem(atPath: self.path)
        guard FileManager.default.fileExists(atPath: self.path, isDirectory: &isFolder), !isFolder.boolValue,
            FileManager.default.isReadableFile(atPath: self.path), let size = attributes?[.size] as? Int
        else { throw Complaint("cannot read the file \(path)") }
        self.size = size
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(file: self, handle: FileHandle(forReadingAtPath: path), left: size)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let file: UploadedFile
        let handle: FileHandle?
        /// Remaining bytes.
        var left: Int

        /// - Throws: ``Complaint`` if the file is gone or its size has changed.
        mutating func next() async throws -> ByteBuffer? {
            guard let handle else { throw Complaint("cannot read the file \(file.path) any more") }
            let bytes = try handle.read(upToCount: UploadedFile.piece) ?? Data()
            left -= bytes.count
            guard bytes.isEmpty ? left == 0 : left >= 0 else {
                throw Complaint("the file \(file.path) changed while it was read; upload it again")
            }
            return bytes.isEmpty ? nil : ByteBuffer(bytes: bytes)
        }
    }

    /// Uploads the file to a link from `assets/upload`.
    ///
    /// - Parameter origin: the server's local origin, which replaces the link's own.
    /// - Returns: the value to save.
    /// - Throws: ``Complaint`` with the server's reason.
    func upload(to link: String, at origin: String) async throws -> JSONValue {
        guard let path = link.range(of: "/uploads/").map({ link[$0.lowerBound...] }) else {
            throw Complaint("\(origin) gives no link to upload a file to")
        }
        var request = HTTPClientRequest(url: origin + path)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/octet-stream")
        request.body = .stream(self, length: .known(Int64(size)))
        do {
            return try await HTTPClient.withHTTPClient(configuration: ManagementClient.configuration) { client in
                let response = try await client.execute(request, timeout: .hours(1))
                let bytes = try await response.body.collect(upTo: Self.largestResponse)
                let answer = (try? JSONParser.parse(Array(bytes.readableBytesView)))?.object
                guard response.status == .ok, let value = answer?["singleFile"] else {
                    throw Complaint(
                        "\(self.path): \(answer?["reason"]?.string ?? "\(origin) answers \(response.status)")")
                }
                return value
            }
        } catch let complaint as Complaint {
            throw complaint
        } catch {
            throw Unreachable.complaint(error, at: origin)
        }
    }
}

/// Operations with file uploads.
protocol UploadingOperations: Operations {
    /// - Parameter arguments: of ``RecordOperations/upload``.
    /// - Returns: the value to save.
    func upload(_ file: UploadedFile, _ arguments: Arguments) async throws -> JSONValue
}

extension RemoteOperations: UploadingOperations {
    func upload(_ file: UploadedFile, _ arguments: Arguments) async throws -> JSONValue {
        try await file.upload(to: try await run(RecordOperations.upload, arguments).url, at: client.origin)
    }
}

extension LocalOperations: UploadingOperations {
    func upload(_ file: UploadedFile, _ arguments: Arguments) async throws -> JSONValue {
        try await inside(arguments["container"]?.string ?? "") { operations in
            try await operations.upload(file, arguments)
        } throughServer: { client in
            try await RemoteOperations(client: client).upload(file, arguments)
        }
    }
}

extension StoreOperations {
    /// Captures an upload ticket, for uploads within this process.
    private final class Link: Sendable {
        let made = Mutex<(container: Container, environment: ContainerEnvironment, ticket: UploadTicket)?>(nil)
    }

    /// Uploads a file directly to the store.
    fileprivate func upload(_ file: UploadedFile, _ arguments: Arguments) async throws -> JSONValue {
        let link = Link()
        var workplace = workplace
        workplace.uploadLink = { container, environment, ticket in
            link.made.withLock { $0 = (container, environment, ticket) }
            return ""
        }
        _ = try await StoreOperations(workplace: workplace, identity: identity).run(RecordOperations.upload, arguments)
        guard let stores = workplace.stores, let (container, environment, ticket) = link.made.withLock({ $0 }) else {
            throw Complaint("a file cannot be uploaded here")
        }
        let store = try await stores.store(container: container, environment: environment)
        do {
            let asset = try await store.assets.upload(ticket, from: nil, file, limit: workplace.limits.assets.bytes)
            var writer = JSONWriter()
            asset.writeReceipt(to: &writer)
            return try JSONParser.parse(writer.bytes)
        } catch let error as AssetTooLarge {
            throw Complaint("\(file.path): an asset has at most \(error.limit) bytes (limit.assetBytes)")
        } catch is AssetStoreFull {
            throw Complaint("\(file.path): the disk is full")
        }
    }
}

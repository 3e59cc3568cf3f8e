public import Foundation

/// A file in a record. A fetched asset's file stays on the server until ``download()``.
public final class CKAsset: Sendable {
    struct State {
        /// The bytes or file to upload.
        var data: Data?
        var file: URL?
        /// The field's value in a saved record: an upload's receipt, or the value as fetched.
        var value: JSON?
        var downloadURL: String?
        /// The asset's client, for downloads; nil for a local asset.
        var wire: WireClient?
        var progress: (@Sendable (Progress) -> Void)?
    }

    /// The progress of an upload or download, in bytes.
    public struct Progress: Sendable, Hashable {
        public let completed: Int64
        public let total: Int64
    }

    let state: Mutex<State>

    public init(fileURL: URL) { state = Mutex(State(file: fileURL)) }
    public init(data: Data) { state = Mutex(State(data: data)) }
    private init(_ state: State) { self.state = Mutex(state) }

    init?(wire value: JSON) {
        guard value["fileChecksum"] != nil else { return nil }
        var members = value.object ?? [:]
        let url = members.removeValue(forKey: "downloadURL")?.string
        state = Mutex(State(value: .object(members), downloadURL: url))
    }

    /// The local file: given by the app, or downloaded.
    public var fileURL: URL? { state.withLock { $0.file } }
    public var size: Int64? { state.withLock { $0.value?["size"]?.int64 } }
    public var fileChecksum: String? { state.withLock { $0.value?["fileChecksum"]?.string } }

    var wire: JSON { state.withLock { $0.value ?? .null } }

    /// Whether the bytes must be uploaded before saving the record.
    var awaitsUpload: Bool { state.withLock { $0.value == nil } }

    /// Sets a handler for upload and download progress, called on a system thread.
    public func onProgress(_ handler: (@Sendable (Progress) -> Void)?) { state.withLock { $0.progress = handler } }

    /// Reports bytes to the handler.
    func report(of total: Int64) -> @Sendable (Int64) -> Void {
        let handler = state.withLock { $0.progress }
        return { handler?(Progress(completed: $0, total: total)) }
    }

    /// The file to upload, with its size; nil for an asset made of data.
    func fileToUpload() throws -> (url: URL, size: Int64)? {
        let (data, file) = state.withLock { ($0.data, $0.file) }
        guard data == nil, let file else { return nil }
        guard let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64 else {
            throw CKError(.assetFileNotFound, "The file of the asset is not there: \(file.path).")
        }
        return (file, size)
    }

    /// The bytes to upload, in memory.
    func contents() throws -> Data {
        let (data, file) = state.withLock { ($0.data, $0.file) }
        if let data { return data }
        guard let file, let data = try? Data(contentsOf: file, options: .mappedIfSafe) else {
            throw CKError(.assetFileNotFound, "The file of the asset is not there: \(file?.path ?? "no path").")
        }
        return data
    }

    func uploaded(_ receipt: JSON) { state.withLock { $0.value = receipt } }
    func came(from wire: WireClient) { state.withLock { $0.wire = wire } }

    /// The asset's bytes, downloaded if necessary.
    ///
    /// - Throws: `assetNotAvailable` after the link expires; fetching the record again gives a new link.
    public func data() async throws -> Data {
        guard let (url, wire) = try link() else { return try contents() }
        let bytes = try await whileLinkLasts { try await wire.send(HTTPRequest(url: url)).answer.body }
        try check(size: Int64(bytes.count))
        return bytes
    }

    /// The download URL; nil for a local asset.
    private func link() throws -> (URL, WireClient)? {
        let (link, wire) = state.withLock { ($0.downloadURL, $0.wire) }
        guard let link, let wire else { return nil }
        guard let url = URL(string: link.replacingOccurrences(of: "${f}", with: "asset")) else {
            throw CKError(.assetNotAvailable, "The asset has no address that can be read.")
        }
        return (url, wire)
    }

    private func whileLinkLasts<Result>(_ load: () async throws -> Result) async throws -> Result {
        do { return try await load() } catch let error as CKError
            where error.code == .unknownItem || error.code == .permissionFailure
        {
            throw CKError(.assetNotAvailable, "The asset's link has ended. Fetch its record again.")
        }
    }

    private func check(size arrived: Int64) throws {
        guard let size, size != arrived else { return }
        throw CKError(.assetNotAvailable, "\(arrived) of \(size) bytes of the asset arrived.")
    }

    /// Downloads the file in pieces to a temporary folder and returns its URL.
    ///
    /// - Throws: `assetNotAvailable` after the link expires; fetching the record again gives a new link.
    @discardableResult
    public func download() async throws -> URL {
        if let file = fileURL { return file }
        let file = FileManager.default.temporaryDirectory.appending(path: "asset-\(UUID().uuidString)")
        do {
            try await load(into: file)
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw error
        }
        state.withLock { $0.file = file }
        return file
    }

    private func load(into file: URL) async throws {
        guard let (url, wire) = try link() else { return try contents().write(to: file, options: .atomic) }
        let report = report(of: size ?? 0)
        _ = try await whileLinkLasts {
            try await wire.send(HTTPRequest(url: url)) { try await $0.download($1, to: file, progress: report) }
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        try check(size: attributes[.size] as? Int64 ?? 0)
    }
}

extension CKAsset: Hashable {
    /// Equal if both have the same server contents, or are the same object.
    public static func == (left: CKAsset, right: CKAsset) -> Bool {
        left === right || (left.fileChecksum != nil && left.fileChecksum == right.fileChecksum)
    }

    public func hash(into hasher: inout Hasher) {
        // A constant, since the checksum is set late, during an upload, and equal assets may differ in everything else.
        hasher.combine(0)
    }
}

extension CKAsset: CKRecordValueProtocol {
    public var fieldValue: CKFieldValue { .asset(self) }
    public convenience init?(fieldValue: CKFieldValue) {
        guard case .asset(let asset) = fieldValue else { return nil }
        self.init(asset.state.withLock { $0 })
    }
    public static var fieldKind: CKFieldValue.Kind { .asset }
}

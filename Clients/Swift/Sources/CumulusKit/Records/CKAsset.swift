public import Foundation

/// A file of a record. One that was fetched lies on the server until ``download()`` is called.
public final class CKAsset: Sendable {
    struct State {
        /// What is to be uploaded.
        var data: Data?
        var file: URL?
        /// The field's value in a saved record: an upload's receipt, or the value as fetched.
        var value: JSON?
        var downloadURL: String?
        /// The container it was fetched from.
        var wire: WireClient?
        var progress: (@Sendable (Progress) -> Void)?
    }

    /// How far an upload or a download has come, in bytes.
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

    /// Whether its bytes must reach the server before its record.
    var awaitsUpload: Bool { state.withLock { $0.value == nil } }

    /// Calls a function as bytes of an upload or a download go, on a thread of the system's.
    public func onProgress(_ handler: (@Sendable (Progress) -> Void)?) { state.withLock { $0.progress = handler } }

    /// Reports bytes to the handler.
    func report(of total: Int64) -> @Sendable (Int64) -> Void {
        let handler = state.withLock { $0.progress }
        return { handler?(Progress(completed: $0, total: total)) }
    }

    /// The file to upload, and its size; nil for an asset that was made of data.
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

    /// Downloads the file into a temporary folder, piece by piece, and returns its URL.
    ///
    /// - Throws: `assetNotAvailable` when the link has ended; the record's next fetch brings a new one.
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
    /// The same contents on the server, or the same object.
    public static func == (left: CKAsset, right: CKAsset) -> Bool {
        left === right || (left.fileChecksum != nil && left.fileChecksum == right.fileChecksum)
    }

    public func hash(into hasher: inout Hasher) {
        // Equal ones can differ in everything but this, and what is being uploaded gets it late.
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

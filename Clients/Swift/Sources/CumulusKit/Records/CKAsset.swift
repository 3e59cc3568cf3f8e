public import Foundation
import Synchronization

/// A file of a record. One that was fetched lies on the server until ``download()`` is called.
public final class CKAsset: Sendable {
    struct State {
        /// What is to be uploaded.
        var data: Data?
        var file: URL?
        /// What goes into the record: an upload's receipt, or the value as it was fetched.
        var value: JSON?
        var downloadURL: String?
        /// The container it was fetched from.
        var wire: WireClient?
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

    /// The file on this device: the one it was made with, or the one downloaded.
    public var fileURL: URL? { state.withLock { $0.file } }
    public var size: Int64? { state.withLock { $0.value?["size"]?.int64 } }
    public var fileChecksum: String? { state.withLock { $0.value?["fileChecksum"]?.string } }

    var wire: JSON { state.withLock { $0.value ?? .null } }

    /// Whether its bytes must reach the server before its record.
    var awaitsUpload: Bool { state.withLock { $0.value == nil } }

    /// What is uploaded.
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

    /// The bytes, fetched if they are not on this device.
    ///
    /// - Throws: `assetNotAvailable` when the link has ended; the record's next fetch brings a new one.
    public func data() async throws -> Data {
        let (link, wire, size) = state.withLock { ($0.downloadURL, $0.wire, $0.value?["size"]?.int64) }
        guard let link, let wire else { return try contents() }
        guard let url = URL(string: link.replacingOccurrences(of: "${f}", with: "asset")) else {
            throw CKError(.assetNotAvailable, "The asset has no address that can be read.")
        }
        do {
            let bytes = try await wire.send(HTTPRequest(url: url)).answer.body
            guard size == nil || size == Int64(bytes.count) else {
                throw CKError(.assetNotAvailable, "\(bytes.count) of \(size ?? 0) bytes of the asset arrived.")
            }
            return bytes
        } catch let error as CKError where error.code == .unknownItem || error.code == .permissionFailure {
            throw CKError(.assetNotAvailable, "The asset's link has ended. Fetch its record again.")
        }
    }

    /// Brings the file to this device, into a temporary folder, and returns where it is.
    @discardableResult
    public func download() async throws -> URL {
        if let file = fileURL { return file }
        let bytes = try await data()
        let file = FileManager.default.temporaryDirectory.appending(path: "asset-\(UUID().uuidString)")
        try bytes.write(to: file, options: .atomic)
        state.withLock { $0.file = file }
        return file
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

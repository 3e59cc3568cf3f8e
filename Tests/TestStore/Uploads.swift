import CloudAssets
import CloudModel
import NIOCore

@testable import CloudStore

/// Contents that arrive in chunks, and may end in an error.
struct Chunks: AsyncSequence, Sendable {
    let chunks: [[UInt8]]
    var fails = false

    struct Broken: Error {}

    init(_ chunks: [[UInt8]], fails: Bool = false) {
        self.chunks = chunks
        self.fails = fails
    }

    init(_ text: String) { self.init([Array(text.utf8)]) }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: chunks[...], fails: fails) }

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        let fails: Bool

        mutating func next() async throws -> ByteBuffer? {
            guard let chunk = rest.popFirst() else {
                if fails { throw Broken() }
                return nil
            }
            return ByteBuffer(bytes: chunk)
        }
    }
}

extension UploadTicket {
    static var alice: UploadTicket { UploadTicket(owner: "_alice", user: "_alice") }
}

extension UploadStore {
    func upload(_ text: String, _ ticket: UploadTicket = .alice, from address: String? = nil) async throws -> Asset {
        try await upload(ticket, from: address, Chunks(text), limit: 1 << 20)
    }

}

extension EnvironmentStore {
    func text(of key: AssetKey, _ range: Range<Int64>? = nil) async throws -> String? {
        guard let reader = try await assets.open(key) else { return nil }
        var text = ByteBuffer()
        for try await chunk in reader.bytes(in: range ?? 0..<reader.size) { text.writeImmutableBuffer(chunk) }
        return String(buffer: text)
    }
}

/// The text of a field that holds what an upload answered.
func assetField(_ asset: Asset, name: String = "file", receipt: Bool = true) -> String {
    let receipt = receipt ? asset.receipt.map { #","receipt":"\#($0)""# } ?? "" : ""
    return #"{"\#(name)":{"value":{"fileChecksum":"\#(asset.key.fileChecksum)","size":\#(asset.size)\#(receipt)}}}"#
}

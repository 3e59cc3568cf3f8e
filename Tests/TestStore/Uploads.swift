import CloudAssets
package import CloudModel
package import CloudStore
package import NIOCore

/// Contents that arrive in chunks, and may end in an error.
package struct Chunks: AsyncSequence, Sendable {
    package let chunks: [[UInt8]]
    package var fails = false

    package struct Broken: Error {}

    package init(_ chunks: [[UInt8]], fails: Bool = false) {
        self.chunks = chunks
        self.fails = fails
    }

    package init(_ text: String) { self.init([Array(text.utf8)]) }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: chunks[...], fails: fails) }

    package struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<[UInt8]>
        let fails: Bool

        package mutating func next() async throws -> ByteBuffer? {
            guard let chunk = rest.popFirst() else {
                if fails { throw Broken() }
                return nil
            }
            return ByteBuffer(bytes: chunk)
        }
    }
}

extension UploadTicket {
    package static var alice: UploadTicket { UploadTicket(owner: "_alice", user: "_alice") }
}

extension UploadStore {
    package func upload(_ text: String, _ ticket: UploadTicket = .alice, from address: String? = nil) async throws
        -> Asset
    {
        try await upload(ticket, from: address, Chunks(text), limit: 1 << 20)
    }

}

extension EnvironmentStore {
    package func text(of key: AssetKey, _ range: Range<Int64>? = nil) async throws -> String? {
        guard let reader = try await assets.open(key) else { return nil }
        var text = ByteBuffer()
        for try await chunk in reader.bytes(in: range ?? 0..<reader.size) { text.writeImmutableBuffer(chunk) }
        return String(buffer: text)
    }
}

/// The text of a field that holds what an upload answered.
package func assetField(_ asset: Asset, name: String = "file", receipt: Bool = true) -> String {
    let receipt = receipt ? asset.receipt.map { #","receipt":"\#($0)""# } ?? "" : ""
    return #"{"\#(name)":{"value":{"fileChecksum":"\#(asset.key.fileChecksum)","size":\#(asset.size)\#(receipt)}}}"#
}

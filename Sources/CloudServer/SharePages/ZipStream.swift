import CloudAssets
import CloudModel
import CloudStore
import NIOCore

/// Files as one zip, written while it is read: nothing is kept on disk and little in memory, and it ends when the
/// reader leaves.
struct ZipStream: Sendable {
    let page: SharedPage
    let files: [PageFile]
    let title: String
    /// Asked before each file: whether it is still on the page. Throws when the page is not to be seen any more.
    let isThere: @Sendable (PageFile) async throws -> Bool

    /// Something changed after the length was told, so the connection has to end short of it.
    struct Broken: Error {}

    /// The zip as an answer, with its length.
    func body() -> ResponseBody {
        let layout = ZipLayout(entries)
        return ResponseBody(contentLength: Int(layout.totalSize)) { writer in
            for (file, entry) in zip(files, layout.entries) {
                guard try await isThere(file), let reader = try await page.store.open(file.asset.key),
                    reader.size == file.asset.size
                else { throw Broken() }
                try await writer.write(ByteBuffer(bytes: entry.localHeader))
                try await writer.write(reader.bytes())
            }
            try await writer.write(ByteBuffer(bytes: layout.directory()))
            try await writer.finish()
        }
    }

    private var entries: [ZipEntry] {
        var names = FileNames()
        let digits = String(files.count).count
        return files.enumerated().map { index, file in
            let number = String(index + 1)
            let padded = String(repeating: "0", count: digits - number.count) + number
            return ZipEntry(
                name: names.unique("\(padded) \(file.caption ?? title)", type: file.asset.contentType),
                size: UInt64(file.asset.size), crc32: file.asset.crc32, modified: file.created)
        }
    }
}

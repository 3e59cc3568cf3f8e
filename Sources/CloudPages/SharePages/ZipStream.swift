import CloudWire
import CloudHTTP
import CloudAssets
import CloudModel
import CloudStore
import NIOCore

/// Streams files as a zip, without temporary files and with little memory. Stops when the client disconnects.
struct ZipStream: Sendable {
    let page: SharedPage
    let files: [PageFile]
    let title: String
    /// Checked before each file: true if the page still shows it. Throws if the page is closed.
    let isThere: @Sendable (PageFile) async throws -> Bool

    /// Thrown after a change during the download: the body ends short of its announced length.
    struct Broken: Error {}

    /// A streamed body with its length.
    func body() -> ResponseBody {
        let layout = ZipLayout(entries)
        return ResponseBody(contentLength: Int(layout.totalSize)) { writer in
            for (file, entry) in zip(files, layout.entries) {
                guard try await isThere(file), let reader = try await page.store.assets.open(file.asset.key),
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

import CloudAssets
import CloudHTTP
import CloudModel
import CloudStore
import CloudWire
import NIOCore

/// Streams files as a zip, without temporary files and with little memory. Stops when the client disconnects.
struct ZipStream: Sendable {
    let page: SharedPage
    let files: [GivenFile]
    let title: String
    /// The visitor's network.
    let visitor: String?
    /// Asked before each file: the form in which the visitor may still download it. Throws if the page is closed.
    let form: @Sendable (PageFile) async throws -> FileDownload?

    /// Thrown after a change during the download: the body ends short.
    struct Broken: Error {}

    /// A streamed body: of originals with its length, of copies without, since copies are made while it is sent.
    func body() -> ResponseBody { page.downloads == .originals ? originals() : copies() }

    private func originals() -> ResponseBody {
        let layout = ZipLayout(entries)
        return ResponseBody(contentLength: Int(layout.totalSize)) { writer in
            for (file, entry) in zip(files, layout.entries) {
                guard try await form(file.file) == .original, let reader = try await file.open(in: page.store),
                    reader.size == file.file.asset.size
                else { throw Broken() }
                try await writer.write(ByteBuffer(bytes: entry.localHeader))
                try await writer.write(reader.bytes())
            }
            try await writer.write(ByteBuffer(bytes: layout.directory()))
            try await writer.finish()
        }
    }

    /// The largest copy that is read into memory, in bytes: well above a JPEG of 2,048 × 2,048 pixels.
    private static let largestCopy: Int64 = 16 << 20

    private func copies() -> ResponseBody {
        let names = names(ofType: { _ in "image/jpeg" })
        return ResponseBody { writer in
            var archive = ZipWriter(to: BodySink(writer: writer))
            for (file, name) in zip(files, names) {
                guard try await form(file.file) == .copy,
                    let copy = try await page.store.assets.preview(
                        of: file.file.asset.key, .large, for: visitor)?.reader,
                    copy.size <= Self.largestCopy
                else { throw Broken() }
                var bytes = ByteBuffer()
                for try await piece in copy.bytes() { bytes.writeImmutableBuffer(piece) }
                try await archive.add(name, bytes, modified: file.file.created)
            }
            try await archive.finish()
            try await writer.finish()
        }
    }

    private var entries: [ZipEntry] {
        zip(files, names(ofType: \.asset.contentType)).map { file, name in
            ZipEntry(
                name: name, size: UInt64(file.file.asset.size), crc32: file.checksum, modified: file.file.created)
        }
    }

    /// A name for each file, numbered in the order of the page. Both halves of a Live Photo have one stem, by which
    /// programs join them again.
    private func names(ofType type: (PageFile) -> String) -> [String] {
        let files = files.map(\.file)
        let stills = LivePairs.find(files)
        var names = FileNames()
        let digits = String(files.count - stills.count).count
        var numbers: [ItemKey: Int] = [:]
        for file in files where stills[file.key] == nil { numbers[file.key] = numbers.count + 1 }
        return files.map { file in
            let item = stills[file.key] ?? file
            let number = String(numbers[item.key] ?? 0)
            let padded = String(repeating: "0", count: max(digits - number.count, 0)) + number
            return names.unique("\(padded) \(item.caption ?? title)", type: type(file))
        }
    }
}

/// Writes to the body of an answer.
private struct BodySink: ByteSink {
    var writer: any ResponseBodyWriter

    mutating func write(_ bytes: ByteBuffer) async throws { try await writer.write(bytes) }
}

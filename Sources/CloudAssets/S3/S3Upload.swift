import CloudCrypto
import Foundation
import NIOCore
import NIOHTTP1

/// Uploads a file to a bucket, in parts if large. The store verifies a checksum for each request.
struct S3Upload: Sendable {
    /// Time limit for joining the parts, in seconds.
    private static let joining = 120.0
    /// S3's limit on parts.
    private static let mostParts: Int64 = 10_000

    let client: S3Client
    let key: String
    let file: FileReader
    /// The part size in bytes, and the limit for single uploads.
    let partSize: Int64

    /// - Parameter sha256: the file's checksum.
    func run(sha256: [UInt8]) async throws {
        guard file.size > partSize else { return try await put(sha256) }
        let begun = try await client.withChecksum((S3Checksums.algorithm, "SHA256")) { headers, accepts in
            S3Request(method: "POST", key: key, query: [("uploads", "")], headers: headers) {
                accepts($0) || $0.status == 200 && S3XML($0.text).first("UploadId") != nil
            }
        }
        // Incomplete uploads are useless; the sweep aborts them.
        try await parts(S3XML(begun.text).first("UploadId") ?? "")
    }

    private func put(_ sha256: [UInt8]) async throws {
        _ = try await client.put(
            key, file.size == 0 ? .bytes(ByteBuffer()) : .file(file, 0..<file.size), sha256: sha256)
    }

    private func parts(_ id: String) async throws {
        let size = max(partSize, (file.size + Self.mostParts - 1) / Self.mostParts)
        var list = ""
        for (index, start) in stride(from: 0, to: file.size, by: Int64.Stride(size)).enumerated() {
            let range = start..<min(start + size, file.size)
            let sha256 = try await digest(range)
            let answer = try await client.put(
                key, .file(file, range), sha256: sha256,
                query: [("partNumber", String(index + 1)), ("uploadId", id)])
            let checksum = "<ChecksumSHA256>\(Data(sha256).base64EncodedString())</ChecksumSHA256>"
            list +=
                "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(answer.headers.first(name: "etag") ?? "")</ETag>"
                + (client.checksums.areSent ? checksum : "") + "</Part>"
        }
        let body = Array("<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>".utf8)
        // S3 sends status 200 while it joins the parts; the body reports the result.
        _ = try await client.send(
            S3Request(
                method: "POST", key: key, query: [("uploadId", id)], body: .bytes(ByteBuffer(bytes: body)),
                payload: AWSSignature.hex(SHA256.hash(data: body)), extraSeconds: Self.joining
            ) { $0.status == 200 && S3XML($0.text).first("ETag") != nil })
    }

    private func digest(_ range: Range<Int64>) async throws -> [UInt8] {
        var sha256 = SHA256()
        for try await piece in file.bytes(in: range) {
            piece.withUnsafeReadableBytes { sha256.update(bufferPointer: $0) }
        }
        return Array(sha256.finalize())
    }
}

extension S3Client {
    /// Aborts an upload and deletes its parts.
    func abort(_ key: String, upload id: String) async throws {
        _ = try await send(
            S3Request(method: "DELETE", key: key, query: [("uploadId", id)]) { [204, 404].contains($0.status) })
    }

    /// Incomplete multipart uploads, from the first page of the listing.
    func unfinishedUploads(_ prefix: String) async throws -> [(object: Object, id: String)] {
        let answer = try await send(
            S3Request(
                method: "GET", key: "", query: [("uploads", ""), ("prefix", prefix)], mostBytes: S3Request.mostListed
            ) { $0.isList("ListMultipartUploadsResult") })
        return S3XML(answer.text).all("Upload").compactMap { upload in
            guard let id = upload.first("UploadId") else { return nil }
            return Object(upload, time: "Initiated", now: answer.date).map { ($0, id) }
        }
    }
}

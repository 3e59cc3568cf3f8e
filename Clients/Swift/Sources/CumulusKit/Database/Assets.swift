import Foundation

extension CKDatabase {
    /// Uploads new assets before their records are saved. Receipts stay with the asset, so a repeated save uploads nothing
    /// again.
    func uploadAssets(of records: [CKRecord]) async throws {
        if let refusal = try await refusedUploads(of: records).first { throw refusal.value }
    }

    /// Uploads the assets, and returns the errors of records with refused assets.
    ///
    /// - Throws: errors that would fail every upload.
    func refusedUploads(of records: [CKRecord]) async throws -> [CKRecord.ID: CKError] {
        var refused: [CKRecord.ID: CKError] = [:]
        for (zone, records) in records.grouped(by: \.recordID.zoneID) {
            let waiting = records.flatMap { record in
                record.fields.flatMap { key, value in
                    value.assets.filter(\.awaitsUpload).map { Upload(record: record, key: key, asset: $0) }
                }
            }
            for batch in waiting.chunks(of: Self.mostOperations) {
                do {
                    for (upload, token) in zip(batch, try await tokens(for: batch, in: zone)) {
                        do { try await send(upload.asset, to: token) } catch let error as CKError where !error.isGeneral
                        {
                            refused[upload.record.recordID] = error
                        }
                    }
                } catch let error as CKError where !error.isGeneral {
                    for upload in batch { refused[upload.record.recordID] = error }
                }
            }
        }
        return refused
    }

    private struct Upload {
        let record: CKRecord
        let key: CKRecord.FieldKey
        let asset: CKAsset
    }

    private func tokens(for uploads: [Upload], in zone: CKRecordZone.ID) async throws -> [JSON] {
        let tokens = uploads.map { upload -> JSON in
            [
                "recordName": .string(upload.record.recordID.recordName),
                "recordType": .string(upload.record.recordType), "fieldName": .string(upload.key),
            ]
        }
        let answer = try await post("assets/upload", ["zoneID": zone.wire, "tokens": .array(tokens)]).body
        return try answer.items("tokens", count: uploads.count)
    }

    private func send(_ asset: CKAsset, to token: JSON) async throws {
        if token["serverErrorCode"] != nil { throw CKError(wire: token) }
        guard let url = (token["url"]?.string).flatMap(URL.init(string:)) else {
            throw CKError.unexpected("an upload URL")
        }
        let request = HTTPRequest(
            method: "POST", url: url, headers: ["Content-Type": "application/octet-stream"], timeout: .seconds(600))
        do {
            let answer = try await send(asset, by: request)
            guard let receipt = try JSON(parsing: answer.body)["singleFile"] else {
                throw CKError.unexpected("a receipt")
            }
            asset.uploaded(receipt)
        } catch let error as CKError where error.code == .limitExceeded {
            throw CKError(.quotaExceeded, "The server takes no asset of this size.")
        }
    }

    /// Streams a file; sends in-memory bytes at once.
    private func send(_ asset: CKAsset, by request: HTTPRequest) async throws -> HTTPAnswer {
        if let (file, size) = try asset.fileToUpload() {
            let report = asset.report(of: size)
            return try await container.wire.send(request) { try await $0.upload($1, from: file, progress: report) }
                .answer
        }
        var request = request
        let body = try asset.contents()
        request.body = body
        let answer = try await container.wire.send(request).answer
        asset.report(of: Int64(body.count))(Int64(body.count))
        return answer
    }
}

import Foundation

extension CKDatabase {
    /// Sends the bytes of new assets, so that their records can name them. Receipts stay with the asset: a save that is
    /// repeated sends no bytes again.
    func uploadAssets(of records: [CKRecord]) async throws {
        for (zone, records) in records.grouped(by: \.recordID.zoneID) {
            let waiting = records.flatMap { record in
                record.fields.flatMap { key, value in
                    value.assets.filter(\.awaitsUpload).map { (record: record, key: key, asset: $0) }
                }
            }
            for batch in waiting.chunks(of: Self.mostOperations) {
                let answer = try await post(
                    "assets/upload",
                    [
                        "zoneID": zone.wire,
                        "tokens": .array(
                            batch.map {
                                [
                                    "recordName": .string($0.record.recordID.recordName),
                                    "recordType": .string($0.record.recordType), "fieldName": .string($0.key),
                                ]
                            }),
                    ]
                ).body
                for (item, token) in zip(batch, try answer.items("tokens", count: batch.count)) {
                    try await upload(item.asset, to: token)
                }
            }
        }
    }

    private func upload(_ asset: CKAsset, to token: JSON) async throws {
        if token["serverErrorCode"] != nil { throw CKError(wire: token) }
        guard let url = (token["url"]?.string).flatMap(URL.init(string:)) else {
            throw CKError.unexpected("an upload URL")
        }
        let request = HTTPRequest(
            method: "POST", url: url, headers: ["Content-Type": "application/octet-stream"],
            body: try asset.contents(), timeout: .seconds(600))
        do {
            let answer = try await container.wire.send(request).answer
            guard let receipt = try JSON(parsing: answer.body)["singleFile"] else {
                throw CKError.unexpected("a receipt")
            }
            asset.uploaded(receipt)
        } catch let error as CKError where error.code == .limitExceeded {
            throw CKError(.quotaExceeded, "The server takes no asset of this size.")
        }
    }
}

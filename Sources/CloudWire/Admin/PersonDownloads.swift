import CloudAccounts
package import CloudHTTP
import CloudAssets
package import CloudModel
package import CloudTransfer
import NIOCore
import Synchronization

/// Limits concurrent downloads of personal data: four in total, one per person.
package final class PersonDownloads: Sendable {
    private static let most = 4
    private static let pause = 60

    private let people = Mutex<Set<Int64>>([])

    /// The zip as a streamed answer.
    ///
    /// - Throws: `THROTTLED` while the person or the server has too many downloads.
    package func response(_ export: PersonExport) throws(ServerError) -> Response {
        let turn = try turn(export.account)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/zip",
                .contentDisposition: #"attachment; filename="cumulus-data.zip""#,
                .cacheControl: "private, no-store", .xContentTypeOptions: "nosniff",
            ],
            body: ResponseBody { writer in
                defer { withExtendedLifetime(turn) {} }
                try await export.write(to: ResponseSink(writer: writer))
                try await writer.finish()
            })
    }

    private func turn(_ account: UserAccount) throws(ServerError) -> Turn {
        let refusal: ServerError? = people.withLock { people in
            if people.contains(account.id) {
                return ServerError(
                    .throttled, "this data is being downloaded already; wait until that download ends", .limit(1),
                    retryAfter: Self.pause)
            }
            guard people.count < Self.most else {
                return ServerError(
                    .throttled, "\(Self.most) downloads of people's data are running, the most allowed at once",
                    .limit(Self.most), retryAfter: Self.pause)
            }
            people.insert(account.id)
            return nil
        }
        if let refusal { throw refusal }
        return Turn(account: account.id, of: self)
    }

    /// One download. Its slot is freed on deinit, even if the answer never started.
    private final class Turn: Sendable {
        private let account: Int64
        private let downloads: PersonDownloads

        init(account: Int64, of downloads: PersonDownloads) {
            self.account = account
            self.downloads = downloads
        }

        deinit { _ = downloads.people.withLock { $0.remove(account) } }
    }
}

/// Writes to the body of an answer.
private struct ResponseSink: ByteSink {
    var writer: any ResponseBodyWriter

    mutating func write(_ bytes: ByteBuffer) async throws { try await writer.write(bytes) }
}

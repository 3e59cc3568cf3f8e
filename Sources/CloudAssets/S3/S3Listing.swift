import Foundation
import NIOHTTP1

extension S3Client {
    /// An object of a listing.
    struct Object: Sendable {
        let key: String
        /// Bytes; 0 if the listing omits the size.
        let size: Int64
        /// Seconds since the last write, by the store's clock.
        let age: Double

        /// - Parameters:
        ///   - time: the name of the element with the modification time.
        ///   - now: by the store's clock.
        init?(_ element: S3XML, time: String, now: Date) {
            guard let key = element.first("Key") else { return nil }
            self.key = key
            size = element.first("Size").flatMap(Int64.init) ?? 0
            let written = element.first(time).flatMap { try? Date(String($0.prefix(19)) + "Z", strategy: .iso8601) }
            age = written.map(now.timeIntervalSince) ?? 0
        }
    }

    /// Calls `body` with the objects whose keys begin with a prefix, a listing page at a time.
    func list(_ prefix: String, _ body: ([Object]) async throws -> Void) async throws {
        try await pages(prefix) { page, date in
            try await body(page.all("Contents").compactMap { Object($0, time: "LastModified", now: date) })
        }
    }

    /// Key segments after a prefix, up to the next slash.
    func folders(_ prefix: String) async throws -> [String] {
        var folders: [String] = []
        try await pages(prefix, delimiter: "/") { page, _ in
            folders += page.all("CommonPrefixes").compactMap { $0.first("Prefix") }
        }
        return folders
    }

    private func pages(
        _ prefix: String, delimiter: String? = nil, _ body: (S3XML, _ date: Date) async throws -> Void
    ) async throws {
        var token: String?
        repeat {
            var query: [(name: String, value: String)] = [("list-type", "2"), ("prefix", prefix)]
            if let delimiter { query.append(("delimiter", delimiter)) }
            if let token { query.append(("continuation-token", token)) }
            let answer = try await send(
                S3Request(method: "GET", key: "", query: query, mostBytes: S3Request.mostListed) {
                    $0.isList("ListBucketResult")
                })
            let page = S3XML(answer.text)
            try await body(page, answer.date)
            token = page.first("IsTruncated") == "true" ? page.first("NextContinuationToken") : nil
        } while token != nil
    }
}

extension S3Answer {
    /// True for a listing with this element. A proxy's page would otherwise pass as an empty listing.
    func isList(_ name: String) -> Bool { status == 200 && text.contains("<\(name)") }

    /// The time of the answer, by the store's clock.
    var date: Date {
        let text = headers.first(name: "date")
        return text.flatMap { try? Date($0, strategy: Self.dates) } ?? Date()
    }

    /// Such as `Sat, 31 Jan 2026 08:00:00 GMT`.
    private static let dates = Date.ParseStrategy(
        format:
            "\(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT",
        locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
}

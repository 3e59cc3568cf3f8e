import CloudSQL
import CloudStore
import Foundation
import Synchronization

/// News by LISTEN and NOTIFY, on connections of their own: within a transaction that writes, NOTIFY makes the commits of
/// all databases wait for each other.
final class PostgresNews: EngineNews {
    private static let channel = "cumulus"
    /// A message has room for 8,000 bytes.
    private static let mostTokens = 300
    private static let wait = Duration.seconds(1)
    private static let pause = 0.25

    private let server: PostgresServer
    private let sender: PostgresConnection
    /// The prefix of this program's messages.
    private let name = String(UInt64.random(in: .min ... .max), radix: 36)

    init(_ server: PostgresServer) {
        self.server = server
        sender = PostgresConnection(server, schema: "public")
    }

    func tell(_ tokens: Set<Int64>) {
        let tokens = Array(tokens)
        for start in stride(from: 0, to: tokens.count, by: Self.mostTokens) {
            let part = tokens[start..<min(start + Self.mostTokens, tokens.count)]
            let text = ([name] + part.map(String.init)).joined(separator: " ")
            // What cannot be sent is found by those who look again after a while.
            sender.start { db in
                _ = try? db.first("SELECT pg_notify(?, ?)", .text(Self.channel), .text(text)) { _ in }
            }
        }
    }

    func listen(_ hear: @escaping @Sendable (Set<Int64>?) -> Bool) {
        Thread.detachNewThread { [weak self] in
            var link: PostgresHandle?
            while let news = self, hear([]) { link = news.round(link, hear) }
        }
    }

    private func round(_ old: PostgresHandle?, _ hear: (Set<Int64>?) -> Bool) -> PostgresHandle? {
        do {
            if let old, old.isOpen {
                for text in try old.notices(within: Self.wait) {
                    if let tokens = tokens(of: text) { _ = hear(tokens) }
                }
                return old
            }
            let link = try server.connect()
            try link.script("LISTEN \(Self.channel)")
            // What was sent before is gone.
            _ = hear(nil)
            return link
        } catch {
            Thread.sleep(forTimeInterval: Self.pause)
            return nil
        }
    }

    /// Nil for a message of this program's own, which has woken everybody here already.
    private func tokens(of text: String) -> Set<Int64>? {
        let words = text.split(separator: " ")
        guard let sender = words.first, sender != name[...] else { return nil }
        return Set(words.dropFirst().compactMap { Int64($0) })
    }
}

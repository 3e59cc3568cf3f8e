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
    /// The word before the tokens of ``TokenNews/registrations(_:)``; messages have none.
    private static let registrations = "registrations"
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

    func tell(_ news: TokenNews) {
        let (words, tokens) =
            switch news {
            case .messages(let tokens): ([name], Array(tokens))
            case .registrations(let tokens): ([name, Self.registrations], Array(tokens))
            }
        for start in stride(from: 0, to: tokens.count, by: Self.mostTokens) {
            let part = tokens[start..<min(start + Self.mostTokens, tokens.count)]
            let text = (words + part.map(String.init)).joined(separator: " ")
            // What cannot be sent is found by those who look again after a while.
            sender.start { db in
                _ = try? db.first("SELECT pg_notify(?, ?)", .text(Self.channel), .text(text)) { _ in }
            }
        }
    }

    func listen(_ hear: @escaping @Sendable (TokenNews?) -> Bool) {
        Thread.detachNewThread { [weak self] in
            var link: PostgresHandle?
            while let news = self, hear(.messages([])) { link = news.round(link, hear) }
        }
    }

    private func round(_ old: PostgresHandle?, _ hear: (TokenNews?) -> Bool) -> PostgresHandle? {
        do {
            if let old, old.isOpen, !server.hosts.isLeft(old) {
                for text in try old.notices(within: Self.wait) {
                    if let news = news(of: text) { _ = hear(news) }
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
    private func news(of text: String) -> TokenNews? {
        let words = text.split(separator: " ")
        guard let sender = words.first, sender != name[...] else { return nil }
        let tokens = Set(words.dropFirst().compactMap { Int64($0) })
        return words.dropFirst().first == Self.registrations[...] ? .registrations(tokens) : .messages(tokens)
    }
}

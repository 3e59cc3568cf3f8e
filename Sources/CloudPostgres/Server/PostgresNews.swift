import CloudEngine
import CloudSQL
import Foundation
import Synchronization

/// Exchanges news by LISTEN and NOTIFY on separate connections: NOTIFY inside a writing transaction would serialize the
/// commits of all databases.
final class PostgresNews: EngineNews {
    private static let channel = "cumulus"
    /// Keeps a payload below PostgreSQL's limit of 8,000 bytes.
    private static let mostTokens = 300
    /// Marks ``TokenNews/registrations(_:)`` before the tokens; messages have no mark.
    private static let registrations = "registrations"
    private static let wait = Duration.seconds(1)
    private static let pause = 0.25

    private let server: PostgresServer
    private let sender: PostgresConnection
    /// This program's random sender name.
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
            // Lost news is found by the receivers' periodic checks.
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
            // Earlier news was lost.
            _ = hear(nil)
            return link
        } catch {
            Thread.sleep(forTimeInterval: Self.pause)
            return nil
        }
    }

    /// Nil for this program's own message, whose waiters are already awake.
    private func news(of text: String) -> TokenNews? {
        let words = text.split(separator: " ")
        guard let sender = words.first, sender != name[...] else { return nil }
        let tokens = Set(words.dropFirst().compactMap { Int64($0) })
        return words.dropFirst().first == Self.registrations[...] ? .registrations(tokens) : .messages(tokens)
    }
}

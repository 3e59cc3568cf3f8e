package import Logging
import Synchronization

/// The log of a server, line by line.
package final class LogBook: Sendable {
    private let written = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { written.withLock(\.self) }

    package func lines(with text: String) -> [String] { lines.filter { $0.contains(text) } }

    package func logger(_ level: Logger.Level = .info) -> Logger {
        var logger = Logger(label: "test") { _ in Handler(book: self) }
        logger.logLevel = level
        return logger
    }

    private func write(_ line: String) { written.withLock { $0.append(line) } }

    private struct Handler: LogHandler {
        let book: LogBook
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        func log(event: LogEvent) {
            let details = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
                .map { "\($0.key)=\($0.value)" }
            book.write("\(event.level) \(event.message) \(details.joined(separator: " "))")
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
    }
}

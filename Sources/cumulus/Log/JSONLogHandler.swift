import CloudModel
import Logging

/// Writes each log line as a JSON object to standard error.
struct JSONLogHandler: LogHandler {
    let label: String
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    init(label: String) { self.label = label }

    func log(event: LogEvent) {
        var writer = JSONWriter(capacity: 256)
        writer.object {
            $0.member("time", Timestamp.now().milliseconds)
            $0.member("level", event.level.rawValue)
            $0.member("label", label)
            $0.member("message", event.message.description)
            for (name, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: {
                $0.key < $1.key
            }) {
                $0.key(Self.own.contains(name) ? "metadata.\(name)" : name)
                $0.string(value.description)
            }
        }
        Terminal.tell(PlainText.block(String(decoding: writer.bytes, as: UTF8.self)) + "\n")
    }

    private static let own: Set<String> = ["time", "level", "label", "message"]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}

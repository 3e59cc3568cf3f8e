import CloudModel
import Logging

/// Writes log lines as text to standard error, with clients' control characters escaped.
struct TextLogHandler: LogHandler {
    private var lines: StreamLogHandler

    init(label: String) { lines = .standardError(label: label) }

    var logLevel: Logger.Level {
        get { lines.logLevel }
        set { lines.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { lines.metadata }
        set { lines.metadata = newValue.mapValues(Self.plain) }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { lines[metadataKey: key] }
        set { lines[metadataKey: key] = newValue.map(Self.plain) }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\(PlainText.line(event.message.description))"
        event.metadata = event.metadata?.mapValues(Self.plain)
        lines.log(event: event)
    }

    private static func plain(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
        .string(PlainText.line(value.description))
    }
}

import Logging

/// The form of log lines.
enum LogFormat: String, CaseIterable, Sendable {
    case text, json

    /// A logger in this format to standard error.
    func logger(level: Logger.Level) -> Logger {
        var logger =
            switch self {
            case .text: Logger(label: "cumulus") { TextLogHandler(label: $0) }
            case .json: Logger(label: "cumulus") { JSONLogHandler(label: $0) }
            }
        logger.logLevel = level
        return logger
    }
}

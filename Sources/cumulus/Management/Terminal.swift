import CloudModel
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Interaction with the person at the terminal.
enum Terminal {
    static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 }

    /// True if standard output is a terminal and NO_COLOR is unset or empty (no-color.org).
    static var hasColours: Bool {
        isatty(STDOUT_FILENO) == 1 && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
    }

    /// The width from COLUMNS or else from the terminal; 0 if unknown.
    static var width: Int {
        if let told = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }) { return told }
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    }

    /// Writes a text to standard error.
    static func tell(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// Asks on standard error, so that standard output holds only the result.
    static func ask(_ question: String) -> String? {
        tell(PlainText.block(question))
        return readLine()
    }

    /// A password typed twice without echo, or the first line of standard input.
    static func newPassword() throws -> String {
        guard isInteractive else {
            guard let line = readLine() else { throw Complaint("no password came on standard input") }
            return line
        }
        let password = try withoutEcho { ask("New password: ") }
        guard let password, try withoutEcho({ ask("Again: ") }) == password else {
            throw Complaint("the two passwords differ; nothing was changed")
        }
        return password
    }

    private static func withoutEcho(_ body: () -> String?) throws -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw Complaint("the terminal cannot hide a password") }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return body()
    }
}

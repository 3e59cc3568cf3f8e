import Foundation

/// Writes to standard output: with colours and a width to keep to on a terminal, plain lines elsewhere.
struct Console: Sendable {
    enum Style: String {
        case title = "1;36"
        case wish = "1"
        case request = "34"
        case quiet = "2"
        case good = "32"
        case bad = "1;31"
    }

    let isTerminal: Bool
    let width: Int
    /// Whether nothing but lines of ``whole`` is written.
    private(set) var isBrief: Bool

    /// The same console, writing all that it is given.
    var whole: Console {
        var whole = self
        whole.isBrief = false
        return whole
    }

    init(isBrief: Bool) {
        self.isBrief = isBrief
        isTerminal = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let known = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        width = known ? max(60, Int(size.ws_col)) : 120
    }

    func line(_ text: String = "", _ style: Style? = nil, indent: Int = 0) {
        guard !isBrief else { return }
        write(String(repeating: " ", count: indent) + styled(text, style) + "\n")
    }

    /// Replaces the terminal's current line.
    func overwrite(_ text: String) {
        write("\r\u{1B}[K" + text)
    }

    private func styled(_ text: String, _ style: Style?) -> String {
        guard let style, isTerminal, ProcessInfo.processInfo.environment["NO_COLOR"] == nil else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    private func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}

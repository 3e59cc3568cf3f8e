import Foundation

/// Thrown when a program was stopped for a reason that says more of the machine than of the file.
enum ProgramStop: Error, Hashable, CustomStringConvertible {
    /// After the seconds that it had.
    case tookTooLong(seconds: Int)
    /// By the kernel, which ends confined programs first when memory is short.
    case killed

    var description: String {
        switch self {
        case .tookTooLong(let seconds): "was not made within \(seconds) seconds"
        case .killed: "was not made, as its program was killed, probably for want of memory"
        }
    }
}

extension ConfinedProgram {
    /// The machine's reason for an end; nil for other ends.
    func stop(_ end: End) -> ProgramStop? {
        switch end {
        case .tookTooLong: .tookTooLong(seconds: Int(bounds.seconds))
        case .killed(SIGKILL): .killed
        default: nil
        }
    }
}

import CLinux
import Foundation

/// What of the system confines programs that read files of strangers; limits and closed descriptors are everywhere.
package struct Confinement: Sendable {
    /// The version of Landlock's interface, or the negative number of an error.
    private let landlock: Int32
    /// 0, or the number of an error.
    private let seccomp: Int32

    /// What this system has.
    package static var here: Confinement { Confinement(landlock: clinux_landlock(), seccomp: clinux_seccomp()) }

    init(landlock: Int32, seccomp: Int32) {
        (self.landlock, self.seccomp) = (landlock, seccomp)
    }

    var hasLandlock: Bool { landlock > 0 }
    var hasSeccomp: Bool { seccomp == 0 }

    /// What holds, in a few words.
    package var summary: String {
        (["limits"] + (hasSeccomp ? ["seccomp"] : []) + (hasLandlock ? ["Landlock (version \(landlock))"] : []))
            .joined(separator: ", ")
    }

    /// What is missing, and its consequence; nil where nothing is.
    package var gap: String? {
        var gaps: [String] = []
        if !hasLandlock {
            gaps.append(
                "\(Self.reason("Landlock", -landlock)), so a decoder taken over by a picture could read what the server can"
            )
        }
        if !hasSeccomp {
            gaps.append(
                "\(Self.reason("seccomp", seccomp)), so one could make any call of the system, and send what it reads")
        }
        return gaps.isEmpty ? nil : gaps.joined(separator: "; ")
    }

    private static func reason(_ name: String, _ error: Int32) -> String {
        switch error {
        case EOPNOTSUPP: "\(name) is switched off in this kernel"
        case EPERM, EACCES: "\(name) is refused by the filter around this process"
        default: "this kernel has no \(name)"
        }
    }
}

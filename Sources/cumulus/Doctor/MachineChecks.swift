import CloudStore
import Foundation

/// Checks of the machine: its file descriptors, and the program that makes previews.
enum MachineChecks {
    static func run() -> [Finding] { [descriptors, previews] }

    private static var descriptors: Finding {
        let limit = OpenFiles.raiseLimit()
        guard limit < OpenFiles.enough else { return .ok("descriptors", "\(limit) files and connections may be open") }
        return .warn(
            "descriptors",
            "at most \(limit) files and connections may be open; ten thousand waiting clients need \(OpenFiles.enough)",
            "raise the hard limit: LimitNOFILE= in a systemd unit, 'ulimits' in compose, 'ulimit -Hn' in a shell")
    }

    private static var previews: Finding {
        guard PreviewMaker(mostPixels: 1, mostWaiting: 1) == nil else {
            return .ok("previews", "vipsthumbnail is installed")
        }
        return .warn(
            "previews", "vipsthumbnail is not installed, so share pages have no previews of pictures",
            "install it; Debian's package is libvips-tools")
    }
}

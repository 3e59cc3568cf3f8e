import CloudStore
import Foundation

/// Checks of the machine: its file descriptors, the programs that make previews, posters and films, and what confines it.
enum MachineChecks {
    static func run() async -> [Finding] { [descriptors, await previews, await posters, await films, confinement] }

    private static var descriptors: Finding {
        let limit = OpenFiles.raiseLimit()
        guard limit < OpenFiles.enough else { return .ok("descriptors", "\(limit) files and connections may be open") }
        return .warn(
            "descriptors",
            "at most \(limit) files and connections may be open; ten thousand waiting clients need \(OpenFiles.enough)",
            "raise the hard limit: LimitNOFILE= in a systemd unit, 'ulimits' in compose, 'ulimit -Hn' in a shell")
    }

    private static var previews: Finding {
        get async {
            guard let maker = PreviewMaker(mostPixels: 1, mostWaiting: 1) else {
                return .warn(
                    "previews", "vipsthumbnail is not installed, so share pages have no previews of pictures",
                    "install it; Debian's package is libvips-tools")
            }
            guard let trouble = await maker.trial() else { return .ok("previews", "vipsthumbnail makes one") }
            return .warn(
                "previews", "\(trouble), so share pages have no previews of pictures",
                "see that 'vipsthumbnail --version' works as this user, with its libraries in /usr/lib or /usr/local/lib"
            )
        }
    }

    private static var posters: Finding {
        get async {
            guard let maker = PosterMaker(mostWaiting: 1) else {
                return .ok(
                    "posters",
                    "ffmpeg is not installed, so browsers show the first frame of a video, and HDR pictures (PQ, HLG) look flat"
                )
            }
            guard let trouble = await maker.trial() else {
                return .ok("posters", "ffmpeg makes pictures of videos, and maps the tones of HDR pictures")
            }
            return .warn(
                "posters", "\(trouble), so videos have no pictures, and HDR pictures (PQ, HLG) look flat",
                "see that 'ffmpeg -version' works as this user, with its libraries in /usr/lib or /usr/local/lib, or set "
                    + "'pages.posters' to false")
        }
    }

    private static var films: Finding {
        get async {
            guard let maker = FilmMaker(mostWaiting: 1) else {
                return .ok("films", "ffmpeg is not installed, so browsers play the videos that they can play")
            }
            guard let trouble = await maker.trial() else {
                return .ok("films", "ffmpeg makes films of videos that browsers cannot play")
            }
            return .warn(
                "films", "\(trouble), so videos that a browser cannot play are not played",
                "see that 'ffmpeg -encoders' of this user lists libx264 and aac, or set 'pages.transcode' to false")
        }
    }

    private static var confinement: Finding {
        let here = Confinement.here
        guard let gap = here.gap else { return .ok("confinement", "programs that read pictures have \(here.summary)") }
        return .warn(
            "confinement", "\(gap); programs that read pictures have \(here.summary)",
            "use Linux 5.13 or newer with 'landlock' among its security modules ('lsm=' on the kernel's command line), and "
                + "in a container a runtime whose seccomp profile allows it")
    }
}

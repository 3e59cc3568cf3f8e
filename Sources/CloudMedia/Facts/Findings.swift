import CloudModel

/// What the readers of a file have found so far.
struct Findings {
    var facts: MediaFacts
    var removal = PlaceRemoval()
    /// True after EXIF, XMP, IPTC or a movie's header was met.
    var hasMetadata = false
    /// Raster size before orientation.
    var stored: (width: Int, height: Int)?
    /// Orientation of EXIF, 1–8.
    var orientation = 1
    /// From XMP: the parts that follow the main picture, in order.
    var parts: [ContainerPart] = []
    /// More parts than any camera writes.
    static let mostParts = 16
    /// From XMP: the length of the video at the end of the file.
    var motionLength: Int?

    init(_ facts: MediaFacts) { self.facts = facts }

    /// Runs a reader. A fault ends that reader only; what was found stays.
    mutating func attempt(_ body: (inout Findings) throws -> Void) {
        do { try body(&self) } catch { failed(error as? MediaFault ?? .broken) }
    }

    mutating func failed(_ fault: MediaFault) {
        facts.fault = facts.fault ?? fault
        removal.isCertain = false
    }

    /// The first time counts, but a file's own text counts before the header, and the same clock with a zone before one without.
    mutating func taken(_ time: TakenTime) {
        guard let known = facts.taken else { return facts.taken = time }
        if time.source == .movieHeader { return }
        let isSameClock = known.clock.wholeSeconds == time.clock.wholeSeconds
        if known.source == .movieHeader || known.zone == .unknown && time.zone != .unknown && isSameClock {
            facts.taken = time
        }
    }

    /// - Returns: false for sizes that no picture has.
    @discardableResult mutating func setSize(_ width: Int, _ height: Int) -> Bool {
        guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height) else { return false }
        stored = (width, height)
        return true
    }

    private static let longestSide = 1 << 20

    mutating func finish() {
        if let stored {
            let isTurned = (5...8).contains(orientation)
            facts.size =
                isTurned
                ? .init(width: stored.height, height: stored.width) : .init(width: stored.width, height: stored.height)
        } else if facts.kind.tellsSize {
            facts.fault = facts.fault ?? .broken
        }
        removal.sort()
    }
}

/// A part behind the main picture, by the container directory of XMP.
struct ContainerPart: Hashable {
    let semantic: String
    let length: Int
    let padding: Int
}

package import CloudMedia
package import CloudModel

/// What a stored file tells of itself. Files that are no picture and no video tell nothing.
package struct FileFacts: Hashable, Sendable {
    /// Nil for a file that is no picture and no video of a known kind.
    package var kind: MediaKind?
    /// As shown.
    package var size: ImageSize?
    package var taken: TakenTime?
    /// The length of a video.
    package var duration: Duration?
    /// The identifier that both halves of a Live Photo carry.
    package var contentIdentifier: String?
    /// The bytes of the video inside a motion photo.
    package var motion: Range<Int64>?
    package var hdr = HDRKind.standard
    package var camera = Camera()
    package var place: WithheldPlace?
    /// The bytes that tell the place, and whether they are all.
    package var removal = PlaceRemoval()
    /// CRC-32 of the file without its place.
    package var placelessChecksum: UInt32?
    package var fault: MediaFault?

    package init() {}

    /// - Parameter scan: nil for a file of an unknown kind.
    init(_ scan: MediaScan?) {
        guard let scan else { return }
        let facts = scan.facts
        (kind, size, taken, duration) = (facts.kind, facts.size, facts.taken, facts.duration)
        contentIdentifier = facts.contentIdentifier.flatMap { $0.utf8.count <= Self.longestText ? $0 : nil }
        motion = facts.motion.map { Int64($0.lowerBound)..<Int64($0.upperBound) }
        (hdr, place, fault) = (facts.hdr, facts.place, facts.fault)
        camera = Camera(
            make: Self.short(facts.camera.make), model: Self.short(facts.camera.model),
            lens: Self.short(facts.camera.lens), exposure: Self.finite(facts.camera.exposure),
            aperture: Self.finite(facts.camera.aperture), sensitivity: facts.camera.sensitivity,
            focalLength: Self.finite(facts.camera.focalLength))
        // A file that only begins like a picture hides nothing.
        removal = scan.hasMetadata ? scan.removal : PlaceRemoval()
        if PlacePatches.encode(removal.patches) == nil { removal = PlaceRemoval(isCertain: false) }
    }

    private static let longestText = 200

    /// Texts of a file may hold anything of any length.
    private static func short(_ text: String?) -> String? {
        let plain = text.map { String($0.unicodeScalars.filter { $0.properties.generalCategory != .control }) }
        return plain.flatMap { $0.isEmpty ? nil : String($0.prefix(longestText)) }
    }

    private static func finite(_ number: Double?) -> Double? { number.flatMap { $0.isFinite ? $0 : nil } }

    /// True if the file with the place overwritten differs from the file.
    package var tellsPlace: Bool { !removal.patches.isEmpty }

    /// The clock's digits at the place of taking, as if they were UTC; nil if the file tells no time.
    package var clock: Timestamp? { taken?.clock }
}

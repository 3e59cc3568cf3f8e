import CloudMedia
import CloudModel
import CloudSQL

// Facts of files as rows of their table.
extension FactsTable {
    static func values(_ facts: FileFacts) -> [SQLValue] {
        let (taken, camera, place) = (facts.taken, facts.camera, facts.place?.reveal())
        var zone: Int64?
        if case .offset(let minutes)? = taken?.zone { zone = Int64(minutes) }
        return [
            .text(optional: facts.kind?.rawValue), .integer(optional: facts.size.map { Int64($0.width) }),
            .integer(optional: facts.size.map { Int64($0.height) }),
            .integer(optional: taken?.moment?.milliseconds), .integer(optional: taken?.clock.milliseconds),
            .integer(optional: zone), .text(optional: taken?.source.rawValue),
            .integer(optional: facts.duration.map(\.milliseconds)), .text(optional: facts.contentIdentifier),
            .integer(optional: facts.motion?.lowerBound), .integer(optional: facts.motion.map { Int64($0.count) }),
            .text(optional: HDRText.text(facts.hdr)), .text(optional: camera.make), .text(optional: camera.model),
            .text(optional: camera.lens), .real(optional: camera.exposure), .real(optional: camera.aperture),
            .integer(optional: camera.sensitivity.map(Int64.init)), .real(optional: camera.focalLength),
            .real(optional: place?.latitude), .real(optional: place?.longitude),
            facts.tellsPlace ? PlacePatches.encode(facts.removal.patches).map(SQLValue.blob) ?? .null : .null,
            .bool(facts.removal.isCertain), .integer(optional: facts.placelessChecksum.map(Int64.init)),
            .text(optional: facts.fault?.rawValue),
        ]
    }

    /// The facts in a row, and whether the program's readers found them; nil for a file that was not read yet.
    ///
    /// - Parameter first: the column of the version.
    static func facts(_ row: SQLRow, from first: Int) -> (facts: FileFacts, isCurrent: Bool)? {
        guard let version = row.optionalInteger(first), version > 0 else { return nil }
        var facts = FileFacts()
        facts.kind = row.optionalText(first + 1).flatMap(MediaKind.init(rawValue:))
        if let width = row.optionalInteger(first + 2), let height = row.optionalInteger(first + 3) {
            facts.size = ImageSize(width: Int(width), height: Int(height))
        }
        facts.taken = taken(row, from: first + 4)
        facts.duration = row.optionalInteger(first + 8).map { .milliseconds($0) }
        facts.contentIdentifier = row.optionalText(first + 9)
        if let start = row.optionalInteger(first + 10), let length = row.optionalInteger(first + 11) {
            facts.motion = start..<start + length
        }
        facts.hdr = HDRText.kind(row.optionalText(first + 12))
        facts.camera = Camera(
            make: row.optionalText(first + 13), model: row.optionalText(first + 14), lens: row.optionalText(first + 15),
            exposure: row.optionalReal(first + 16), aperture: row.optionalReal(first + 17),
            sensitivity: row.optionalInteger(first + 18).map { Int($0) }, focalLength: row.optionalReal(first + 19))
        if let latitude = row.optionalReal(first + 20), let longitude = row.optionalReal(first + 21) {
            facts.place = WithheldPlace(latitude: latitude, longitude: longitude)
        }
        let patches = PlacePatches.decode(row.optionalBlob(first + 22) ?? [])
        facts.removal = PlaceRemoval(patches ?? [], isCertain: row.bool(first + 23) && patches != nil)
        facts.placelessChecksum = row.optionalInteger(first + 24).map { UInt32(truncatingIfNeeded: $0) }
        facts.fault = row.optionalText(first + 25).flatMap(MediaFault.init(rawValue:))
        return (facts, version >= Self.version)
    }

    /// - Parameter first: the column of the moment.
    static func taken(_ row: SQLRow, from first: Int) -> TakenTime? {
        guard let clock = row.optionalInteger(first + 1),
            let source = row.optionalText(first + 3).flatMap(TakenTime.Source.init(rawValue:))
        else { return nil }
        let zone: TakenTime.Zone =
            if let minutes = row.optionalInteger(first + 2) {
                .offset(Int(minutes))
            } else {
                row.isNull(first) ? .unknown : .utcOnly
            }
        return TakenTime(clock: Timestamp(milliseconds: clock), zone: zone, source: source)
    }
}

/// The stored form of the kind of a picture's brightness.
private enum HDRText {
    /// Nil for a standard picture.
    static func text(_ kind: HDRKind) -> String? {
        switch kind {
        case .standard: nil
        case .gainMap(let map): map.rawValue
        case .pq: "pq"
        case .hlg: "hlg"
        }
    }

    static func kind(_ text: String?) -> HDRKind {
        switch text {
        case nil: .standard
        case "pq"?: .pq
        case "hlg"?: .hlg
        case let map?: GainMapKind(rawValue: map).map(HDRKind.gainMap) ?? .standard
        }
    }
}

extension SQLValue {
    fileprivate static func real(optional real: Double?) -> SQLValue { real.map(SQLValue.real) ?? .null }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}

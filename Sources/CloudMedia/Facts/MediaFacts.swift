package import CloudModel

/// What a picture or a video tells of itself, read from its bytes without decoding it.
package struct MediaFacts: Hashable, Sendable {
    /// Increased whenever the readers learn more, so that kept facts can be read anew.
    package static let version = 2

    package let kind: MediaKind
    /// As shown: orientation, mirroring and clean aperture applied. Nil where the file tells none.
    package internal(set) var size: ImageSize?
    package internal(set) var taken: TakenTime?
    /// The length of a video.
    package internal(set) var duration: Duration?
    /// The identifier that both halves of a Live Photo carry.
    package internal(set) var contentIdentifier: String?
    package internal(set) var hdr = HDRKind.standard
    package internal(set) var color: ColorProfile?
    /// The code of the sample entry or item: `jpeg`, `png`, `VP8 `, `hvc1`, `avc1`, `av01`.
    package internal(set) var codec: String?
    /// A JPEG of several passes, whose decoder keeps the whole picture in memory.
    package internal(set) var isProgressive = false
    /// A JPEG or PNG of gray pixels.
    package internal(set) var isGray = false
    package internal(set) var camera = Camera()
    /// The bytes of the video inside a motion photo.
    package internal(set) var motion: Range<Int>?
    package internal(set) var place: WithheldPlace?
    /// Why the rest is not known; nil if all metadata was read.
    package internal(set) var fault: MediaFault?

    init(kind: MediaKind) { self.kind = kind }
}

package enum HDRKind: Hashable, Sendable {
    case standard
    /// A picture for every screen, with a map that brightens it on better ones.
    case gainMap(GainMapKind)
    /// Perceptual quantizer (SMPTE ST 2084).
    case pq
    /// Hybrid log-gamma.
    case hlg
}

package enum GainMapKind: String, Hashable, Sendable {
    /// Android's Ultra HDR, described by XMP.
    case ultraHDR
    /// ISO 21496-1 in a JPEG.
    case iso
    /// Apple's auxiliary picture.
    case apple
    /// A derived item of type `tmap` in HEIC and AVIF.
    case toneMap
}

package enum ColorProfile: String, Hashable, Sendable {
    case sRGB, displayP3, adobeRGB, proPhoto, rec2020
    /// An embedded profile of another name.
    case other
}

package struct Camera: Hashable, Sendable {
    package internal(set) var make: String?
    package internal(set) var model: String?
    package internal(set) var lens: String?
    /// Seconds.
    package internal(set) var exposure: Double?
    package internal(set) var aperture: Double?
    package internal(set) var sensitivity: Int?
    /// Millimetres.
    package internal(set) var focalLength: Double?

    package init(
        make: String? = nil, model: String? = nil, lens: String? = nil, exposure: Double? = nil,
        aperture: Double? = nil, sensitivity: Int? = nil, focalLength: Double? = nil
    ) {
        (self.make, self.model, self.lens, self.exposure) = (make, model, lens, exposure)
        (self.aperture, self.sensitivity, self.focalLength) = (aperture, sensitivity, focalLength)
    }
}

/// Where a picture was taken. Printing or dumping the value tells nothing: a caller has to ask.
package struct WithheldPlace: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    private let coordinate: Coordinate

    /// Nil for degrees that no place has.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        coordinate = Coordinate(latitude: latitude, longitude: longitude)
    }

    /// `+52.5000+013.4000/`, in degrees.
    init?(iso6709 text: String) {
        var (parts, current) = ([String](), "")
        for character in text {
            if "+-/".contains(character), !current.isEmpty {
                parts.append(current)
                current = ""
            }
            current.append(character)
        }
        if !current.isEmpty { parts.append(current) }
        guard parts.count >= 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]) else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    package func reveal() -> Coordinate { coordinate }

    package var description: String { "withheld" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

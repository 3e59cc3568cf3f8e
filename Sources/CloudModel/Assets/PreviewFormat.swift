/// Formats of picture previews.
package enum PreviewFormat: String, CaseIterable, Hashable, Sendable {
    case jpeg = "jpg"
    /// Half the bytes of a JPEG.
    case avif

    package var contentType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .avif: "image/avif"
        }
    }

    /// The format for a client that sends this `Accept` header. Wildcards do not ask for AVIF.
    package init(accept: String?) {
        let asksForAVIF = (accept ?? "").split(separator: ",").contains { range in
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            return parts.first == "image/avif"
                && !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) ?? 0 <= 0 }
        }
        self = asksForAVIF ? .avif : .jpeg
    }

    /// The preview's format: AVIF where it is worth its time, else JPEG.
    ///
    /// AVIF is made of formats of cameras and of videos alone: others may have transparent pixels, which are white in a JPEG.
    /// Messengers take no AVIF.
    package func used(for size: PreviewSize, of contentType: String) -> PreviewFormat {
        guard self == .avif, size != .cover,
            ["image/jpeg", "image/heic"].contains(contentType) || ContentType.isVideo(contentType)
        else { return .jpeg }
        return .avif
    }
}

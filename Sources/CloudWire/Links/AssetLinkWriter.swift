import CloudHTTP
package import CloudModel
package import CloudStore

/// Writes asset links for one environment of a container.
package struct AssetLinkWriter: Sendable {
    package let links: AssetLinks
    package let place: AssetPlace
    package let origin: String
    package let expires: Timestamp

    /// The download URL.
    ///
    /// The last segment is a file name: clients replace the literal `${f}` by a name of theirs (reference B §8.4).
    /// - Parameter name: the file name for saving; with a name, browsers save instead of showing.
    package func download(_ key: AssetKey, savedAs name: String? = nil) -> String {
        let link = "\(origin)/assets/\(place.path)/\(key.text)/"
        let signature = links.sign(Self.subject(place, key), expires: expires).query
        guard let name else { return "\(link)${f}?\(signature)" }
        return "\(link)\(PercentEncoding.encode(name))?\(signature)&save=1"
    }

    /// The URL of a JPEG preview.
    package func preview(_ key: AssetKey, _ size: PreviewSize) -> String {
        let signature = links.sign(Self.subject(place, key, size), expires: expires).query
        return "\(origin)/previews/\(place.path)/\(key.text)/\(size.rawValue)?\(signature)"
    }

    /// The URL for a single upload of one asset.
    package func upload(_ upload: UploadTicket) -> String { "\(origin)/uploads/\(links.seal(upload, place))" }

    /// Adds a download link to each asset in a stored record.
    package func filled(_ body: RecordBody) -> RecordBody {
        body.withDownloads { download($0) }
    }

    package static func subject(_ place: AssetPlace, _ key: AssetKey, _ size: PreviewSize? = nil) -> String {
        "\(place.path) \(key.text) \(size?.rawValue ?? "")"
    }
}

package import CloudModel
import CloudStore

/// The links to the assets of one environment of a container.
package struct AssetLinkWriter: Sendable {
    let links: AssetLinks
    let place: AssetPlace
    let origin: String
    let expires: Timestamp

    /// The URL of the bytes.
    ///
    /// The last segment is for a file name: the literal `${f}` stands for one of the client's (reference B §8.4).
    /// - Parameter name: what to save the contents as; with one, browsers save instead of showing.
    package func download(_ key: AssetKey, savedAs name: String? = nil) -> String {
        let link = "\(origin)/assets/\(place.path)/\(key.text)/"
        let signature = links.sign(Self.subject(place, key), expires: expires).query
        guard let name else { return "\(link)${f}?\(signature)" }
        return "\(link)\(PercentEncoding.encode(name))?\(signature)&save=1"
    }

    /// The URL of a small JPEG of a picture.
    package func preview(_ key: AssetKey, _ size: PreviewSize) -> String {
        let signature = links.sign(Self.subject(place, key, size), expires: expires).query
        return "\(origin)/previews/\(place.path)/\(key.text)/\(size.rawValue)?\(signature)"
    }

    /// The URL where one asset can be uploaded, once.
    func upload(_ upload: UploadTicket) -> String { "\(origin)/uploads/\(links.seal(upload, place))" }

    /// A stored record with a link for each of its assets.
    package func filled(_ body: RecordBody) -> RecordBody {
        body.withDownloads { download($0) }
    }

    static func subject(_ place: AssetPlace, _ key: AssetKey, _ size: PreviewSize? = nil) -> String {
        "\(place.path) \(key.text) \(size?.rawValue ?? "")"
    }
}

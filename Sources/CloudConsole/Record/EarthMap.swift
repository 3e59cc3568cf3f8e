import CloudPages

/// A drawing of the Earth with a marked location.
struct EarthMap: PageView {
    let words: String
    let x: String
    let y: String

    private static let (width, height) = (272.0, 84.0)

    /// - Parameter text: `latitude, longitude`.
    init?(_ text: String) {
        let pair = text.split(separator: ",").compactMap { Double($0.drop(while: \.isWhitespace)) }
        guard pair.count == 2, abs(pair[0]) <= 90, abs(pair[1]) <= 180 else { return nil }
        let (latitude, longitude) = (pair[0], pair[1])
        words =
            "\(abs(latitude)) \(latitude < 0 ? "south" : "north"), "
            + "\(abs(longitude)) \(longitude < 0 ? "west" : "east") on a map of the Earth"
        x = "\(((longitude + 180) / 360 * Self.width).rounded())"
        y = "\(((90 - latitude) / 180 * Self.height).rounded())"
    }
}

import CloudModel

/// How a page's grid divides its width, by the number of its tiles.
struct GridShape: Sendable {
    /// The class of the grid in the stylesheet: `one`, `few`, `four` or `many`.
    let crowd: String
    /// The `sizes` attribute: displayed widths of the tiles, as in the stylesheet.
    let sizes: String

    /// - Parameter before: number of tiles in previous parts.
    init(of tiles: [PageFile], before: Int) {
        switch before > 0 ? Int.max : tiles.count {
        case 1:
            crowd = "one"
            sizes =
                tiles[0].imageSize.map {
                    "(min-width: 52rem) min(48rem, \($0.width)px), min(100vw, \($0.width)px)"
                } ?? "(min-width: 52rem) 48rem, 100vw"
        case ...3: (crowd, sizes) = ("few", "(min-width: 84rem) 26rem, (min-width: 40rem) 32vw, 50vw")
        case 4: (crowd, sizes) = ("four", "(min-width: 84rem) 20rem, (min-width: 40rem) 24vw, 50vw")
        default:
            crowd = "many"
            sizes = "(min-width: 84rem) 16rem, (min-width: 64rem) 19vw, (min-width: 40rem) 24vw, 33vw"
        }
    }
}

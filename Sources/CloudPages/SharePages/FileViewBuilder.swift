import CloudAssets
import CloudHTTP
import CloudMedia
import CloudModel
import CloudStore

/// Builds views of a page's files.
struct FileViewBuilder: Sendable {
    let page: SharedPage
    let language: PageLanguage
    // Computed once: a page of a hundred pictures needs the path hundreds of times.
    private let path: String

    init(page: SharedPage, language: PageLanguage) {
        self.page = page
        self.language = language
        path = page.path
    }

    /// A tile of the grid.
    ///
    /// - Parameters:
    ///   - number: the tile's number on the page, from 1.
    ///   - place: the file's place among all files of this part, from 0.
    func tile(_ file: PageFile, number: Int, place: Int) -> PhotoView {
        var view = photo(file, number: number, place: place)
        guard !file.isPicture else { return view }
        view.video = media(of: file)
        view.length = file.facts?.duration.map(FileFactsText.length)
        return view
    }

    private func photo(_ file: PageFile, number: Int, place: Int) -> PhotoView {
        let (tile, medium, large) = (
            size(of: file, at: .tile), size(of: file, at: .medium), size(of: file, at: .large)
        )
        return PhotoView(
            mark: file.key.mark, name: name(of: file, number: number),
            caption: file.caption, tile: address(of: file, .tile), tileWidth: "\(tile.width)",
            tileHeight: "\(tile.height)", medium: address(of: file, .medium), mediumWidth: "\(medium.width)",
            large: address(of: file, .large), largeWidth: "\(large.width)", largeHeight: "\(large.height)",
            width: file.imageSize.map { "\($0.width)" } ?? "",
            height: file.imageSize.map { "\($0.height)" } ?? "", color: file.color?.name, isFirst: number == 1,
            isEager: number <= Self.eager, live: motion(of: file).map { "\(path)/media/\($0)" },
            hdr: file.offered(by: page).brightOriginal, place: "\(place)",
            download: download(of: file),
            canChoose: canChoose(file), isChosen: isChosen(file), isKept: isKept(file))
    }

    /// The name of a picture or video for people who hear the page: its caption, else its kind with the day and time of taking,
    /// else a picture's number or the name of the file.
    ///
    /// - Parameter number: its number on the page, from 1.
    func name(of file: PageFile, number: Int) -> String {
        guard file.isPicture, file.caption == nil, file.facts?.taken == nil else { return name(of: file) }
        return language.text("photo.numbered", ["number": .number(number)])
    }

    private func name(of file: PageFile) -> String {
        if let caption = file.caption { return caption }
        if file.isItem, let taken = file.facts?.taken {
            let zone = taken.zone == .utcOnly ? FileFactsText.zone(of: taken) : nil
            return language.text(
                file.isPicture ? "photo.timed" : "video.timed",
                ["time": .text(language.localTime(taken.clock, zone: zone))])
        }
        return FileNames.name(file.offered(by: page).name(language), type: file.asset.contentType)
    }

    /// The URL from which a video or sound is played; nil for a withheld file.
    private func media(of file: PageFile) -> String? {
        file.isPlayed && file.offered(by: page).isGiven ? "\(path)/media/\(file.key.text)?v=\(file.version)" : nil
    }

    /// The number of tiles loaded before any scrolling: two rows on a phone.
    private static let eager = 6

    /// - Parameter place: the file's place among all files of this part, from 0.
    func file(_ file: PageFile, place: Int) -> FileView {
        let media = media(of: file)
        let isVideo = ContentType.isVideo(file.asset.contentType)
        return FileView(
            mark: file.key.mark, name: name(of: file), size: language.size(file.asset.size),
            video: isVideo ? media : nil, sound: isVideo ? nil : media,
            length: file.facts?.duration.map(FileFactsText.length), width: file.facts?.size.map { "\($0.width)" },
            height: file.facts?.size.map { "\($0.height)" }, poster: file.hasPoster ? address(of: file, .medium) : nil,
            caption: file.caption, place: "\(place)",
            download: download(of: file), canChoose: canChoose(file), isChosen: isChosen(file), isKept: isKept(file))
    }

    /// The preview's URL. Includes a version, so that browsers may cache it: a new file in the same field gets a new URL.
    func address(of file: PageFile, _ size: PreviewSize) -> String {
        "\(path)/preview/\(size.rawValue)/\(file.key.text)?v=\(file.version)"
    }

    /// The end of the address of the movie of a Live Photo, or of a motion photo; nil for other pictures.
    func motion(of file: PageFile) -> String? {
        if let movie = file.movie, page.showsPlaces || !movie.mayTellPlace {
            return "\(movie.key.text)?v=\(movie.version)"
        }
        guard file.facts?.motion != nil, file.offered(by: page).isGiven else { return nil }
        return "\(file.key.text)?part=motion&v=\(file.version)"
    }

    /// Nil if the visitor may not download the file.
    func download(of file: PageFile) -> String? {
        file.offered(by: page).download.map { _ in "\(path)/download/\(file.key.text)" }
    }

    private func canChoose(_ file: PageFile) -> Bool { file.offered(by: page).download != nil || page.visitor.isOwner }

    func isKept(_ file: PageFile) -> Bool { !page.isChosen(file.key.recordName) }

    func isChosen(_ file: PageFile) -> Bool {
        page.visitor.isOwner && page.link?.items != nil && !isKept(file)
    }

    /// Pixel size of a preview. Must be exact for `srcset`, by which browsers choose.
    func size(of file: PageFile, at size: PreviewSize) -> ImageSize {
        file.imageSize.map(size.size) ?? size.bounds
    }
}

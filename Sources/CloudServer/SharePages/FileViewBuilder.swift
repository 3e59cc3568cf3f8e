import CloudAssets
import CloudModel
import CloudStore

/// Makes the views of a page's files.
struct FileViewBuilder: Sendable {
    let page: SharedPage
    let language: PageLanguage
    // A page of a hundred pictures asks for it hundreds of times.
    private let path: String

    init(page: SharedPage, language: PageLanguage) {
        self.page = page
        self.language = language
        path = page.path
    }

    /// - Parameter number: its place among the pictures, from 1.
    func photo(_ file: PageFile, number: Int) -> PhotoView {
        let (small, medium, large) = (
            size(of: file, at: .small), size(of: file, at: .medium), size(of: file, at: .large)
        )
        return PhotoView(
            mark: file.key.mark, name: file.caption ?? "Photo \(language.number(Int64(number)))",
            caption: file.caption, small: address(of: file, .small), smallWidth: "\(small.width)",
            smallHeight: "\(small.height)", medium: address(of: file, .medium), mediumWidth: "\(medium.width)",
            large: address(of: file, .large), largeWidth: "\(large.width)", largeHeight: "\(large.height)",
            width: file.asset.imageSize.map { "\($0.width)" } ?? "",
            height: file.asset.imageSize.map { "\($0.height)" } ?? "", download: download(of: file),
            canChoose: canChoose, isChosen: isChosen(file), isKept: isKept(file))
    }

    func file(_ file: PageFile) -> FileView {
        let media = file.isPlayed ? "\(path)/media/\(file.key.text)?v=\(file.version)" : nil
        let isVideo = ContentType.isVideo(file.asset.contentType)
        return FileView(
            mark: file.key.mark,
            name: file.caption ?? FileNames.name(page.name(of: file, language), type: file.asset.contentType),
            size: language.size(file.asset.size), video: isVideo ? media : nil, sound: isVideo ? nil : media,
            download: download(of: file), canChoose: canChoose, isChosen: isChosen(file), isKept: isKept(file))
    }

    /// Another file in the same place has another address, so browsers may keep what each leads to.
    func address(of file: PageFile, _ size: PreviewSize) -> String {
        "\(path)/preview/\(size.rawValue)/\(file.key.text)?v=\(file.version)"
    }

    /// Nil where the page offers no downloads.
    func download(of file: PageFile) -> String? {
        page.isDownloadable ? "\(path)/download/\(file.key.text)" : nil
    }

    private var canChoose: Bool { page.isDownloadable || page.visitor.isOwner }

    private func isKept(_ file: PageFile) -> Bool { !page.isChosen(file.key.recordName) }

    private func isChosen(_ file: PageFile) -> Bool {
        page.visitor.isOwner && page.link?.items != nil && !isKept(file)
    }

    /// Pixels of a preview: what `srcset` promises has to be so, or a browser picks the wrong one. A picture of unknown
    /// size counts as a square.
    func size(of file: PageFile, at size: PreviewSize) -> (width: Int, height: Int) {
        guard let original = file.asset.imageSize else { return (size.longestSide, size.longestSide) }
        let longest = max(original.width, original.height, 1)
        let side = min(size.longestSide, longest)
        return (max(1, original.width * side / longest), max(1, original.height * side / longest))
    }
}

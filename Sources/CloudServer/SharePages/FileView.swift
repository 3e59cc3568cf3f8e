import CloudAssets
import CloudModel
import CloudStore

/// A file of a page as the templates name it.
struct FileView: Sendable {
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
    func picture(_ file: PageFile, number: Int) -> [String: Any] {
        var content = common(file)
        content["name"] = file.caption ?? "Photo \(language.number(Int64(number)))"
        content["caption"] = file.caption
        content["small"] = address(of: file, .small)
        content["medium"] = address(of: file, .medium)
        content["large"] = address(of: file, .large)
        let small = size(of: file, at: .small)
        content["smallWidth"] = "\(small.width)"
        content["smallHeight"] = "\(small.height)"
        content["mediumWidth"] = "\(size(of: file, at: .medium).width)"
        let large = size(of: file, at: .large)
        content["largeWidth"] = "\(large.width)"
        content["largeHeight"] = "\(large.height)"
        content["width"] = file.asset.imageSize.map { "\($0.width)" } ?? ""
        content["height"] = file.asset.imageSize.map { "\($0.height)" } ?? ""
        return content
    }

    /// A video, a sound, or a file that is only there to be downloaded.
    func other(_ file: PageFile) -> [String: Any] {
        var content = common(file)
        content["name"] = file.caption ?? FileNames.name(page.name(of: file, language), type: file.asset.contentType)
        if file.isPlayed {
            let address = "\(path)/media/\(file.key.text)?v=\(file.version)"
            content[ContentType.isVideo(file.asset.contentType) ? "video" : "sound"] = address
        }
        content["size"] = language.size(file.asset.size)
        return content
    }

    /// Another file in the same place has another address, so browsers may keep what each leads to.
    func address(of file: PageFile, _ size: PreviewSize) -> String {
        "\(path)/preview/\(size.rawValue)/\(file.key.text)?v=\(file.version)"
    }

    /// Nil where the page offers no downloads.
    func download(of file: PageFile) -> String? {
        page.isDownloadable ? "\(path)/download/\(file.key.text)" : nil
    }

    private func common(_ file: PageFile) -> [String: Any] {
        let isChosen = page.isChosen(file.key.recordName)
        var content: [String: Any] = ["mark": file.key.mark]
        content["download"] = download(of: file)
        content["canChoose"] = page.isDownloadable || page.visitor.isOwner
        content["isChosen"] = page.visitor.isOwner && page.link?.items != nil && isChosen
        content["isKept"] = !isChosen
        return content
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

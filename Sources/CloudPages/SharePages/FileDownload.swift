import CloudHTTP
import CloudModel
import CloudStore

/// The form in which a visitor downloads a file.
enum FileDownload: Hashable, Sendable {
    case original
    /// The large preview of a picture, without metadata.
    case copy
}

extension OfferedFile {
    /// The form in which this visitor downloads the file; nil if they may not.
    ///
    /// Reduced downloads are pictures only: other files, and pictures without a preview, have no smaller form.
    var download: FileDownload? {
        switch page.downloads {
        case .originals: isGiven ? .original : nil
        case .reduced: file.isPicture ? .copy : nil
        case .nothing: nil
        }
    }

    /// The name under which a download of the file is saved.
    ///
    /// - Parameter type: the media type of the download.
    func savedName(type: String, _ language: PageLanguage) -> String {
        let isOwnFile = file.key.recordName == page.root?.recordName && file.key.index == 0
        return FileNames.name(
            name(language), type: type, mark: file.caption == nil && !isOwnFile ? file.key.mark : nil)
    }
}

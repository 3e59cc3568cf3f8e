import CloudHTTP
import CloudModel
import CloudStore

/// The form in which a visitor downloads a file.
enum FileDownload: Hashable, Sendable {
    case original
    /// The large preview of a picture, without metadata.
    case copy
}

extension SharedPage {
    /// The form in which this visitor downloads a file; nil if they may not.
    ///
    /// Reduced downloads are pictures only: other files, and pictures without a preview, have no smaller form.
    func download(of file: PageFile) -> FileDownload? {
        switch downloads {
        case .originals: mayGive(file) ? .original : nil
        case .reduced: file.isPicture ? .copy : nil
        case .nothing: nil
        }
    }

    /// The name under which a download of a file is saved.
    ///
    /// - Parameter type: the media type of the download.
    func savedName(of file: PageFile, type: String, _ language: PageLanguage) -> String {
        let isOwnFile = file.key.recordName == root?.recordName && file.key.index == 0
        return FileNames.name(
            name(of: file, language), type: type,
            mark: file.caption == nil && !isOwnFile ? file.key.mark : nil)
    }
}

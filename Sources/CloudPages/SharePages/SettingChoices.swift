/// What an owner can choose for a link.
extension SharePageView {
    /// One form of downloads that the owner can choose.
    package struct DownloadChoice: PageView {
        let value: String
        let text: String
        let isChosen: Bool
    }

    package struct LanguageChoice: PageView {
        /// Empty for the server's language.
        let tag: String
        let name: String
        let isChosen: Bool
    }
}

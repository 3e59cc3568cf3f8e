/// What an owner can choose for a link.
extension SharePageView {
    /// One value of a setting: a form of downloads, or a layout.
    package struct SettingChoice: PageView {
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

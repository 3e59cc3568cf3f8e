package import CloudHTTP
import CloudModel
import Foundation
import Mustache
import Synchronization

/// The templates of all pages, read once at startup: `Public/templates/NAME.mustache` is the template `NAME`. Each language
/// has its texts put in before the templates are parsed, when the language's first page is shown; a folder's templates are
/// also parsed at startup, in English, to find faults.
package final class PageTemplates: Sendable {
    package let languages: Languages
    private let texts: [(name: String, text: String)]
    private let libraries = Mutex<[String: MustacheLibrary]>([:])
    /// The console's templates are shown in English only.
    private static let consolePrefix = "console-"
    /// The page types that have a template.
    private let pages: Set<ObjectIdentifier>
    /// Values available to every template.
    private let common: [String: String]

    /// A missing or unreadable template; the description names the file.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter pages: the page types that the server shows; a missing template is an error.
    package init(
        _ source: PublicFiles, languages: Languages = .own, pages: [any WebPage.Type], common: [String: String]
    ) throws {
        MustacheContentTypes.register(EscapedText(), named: EscapedText.name)
        texts = try source.files(in: "templates").compactMap { name, bytes in
            guard name.hasSuffix(".mustache") else { return nil }
            return (String(name.dropLast(".mustache".count)), String(decoding: bytes, as: UTF8.self))
        }
        let names = Set(texts.map(\.name))
        for page in pages where !names.contains(page.template) {
            throw Unreadable(description: "the page template \(page.template).mustache is missing")
        }
        self.pages = Set(pages.map { ObjectIdentifier($0) })
        self.languages = languages
        self.common = common
        if !source.areEmbedded { _ = try library(languages.english) }
    }

    private func library(_ language: PageLanguage) throws -> MustacheLibrary {
        if let known = libraries.withLock({ $0[language.tag] }) { return known }
        let filler = TemplateTexts(language: language, languages: languages.all)
        var templates: [String: MustacheTemplate] = [:]
        for (name, text) in texts where language.tag == "en" || !name.hasPrefix(Self.consolePrefix) {
            // A content type applies to a single file, so each template declares it.
            let text = "{{% CONTENT_TYPE: \(EscapedText.name)}}" + (try filler.fill(text, named: name + ".mustache"))
            do { templates[name] = try MustacheTemplate(string: text) } catch {
                throw Unreadable(description: "the page template \(name).mustache is not well formed: \(error)")
            }
        }
        let library = MustacheLibrary(templates: templates)
        libraries.withLock { $0[language.tag] = library }
        return library
    }

    /// Renders a page. All values are escaped.
    ///
    /// - Parameter switching: the menu of languages; nil for none.
    package func render<View: WebPage>(
        _ page: View, in language: PageLanguage = .english, switching: LanguageSwitch? = nil
    ) throws -> RenderedPage {
        var content = PageContent(page)
        content.add(common)
        if let switching { content.add(["languages": switching.shown as Any]) }
        guard pages.contains(ObjectIdentifier(View.self)),
            let text = try library(language).render(content, withTemplate: View.template)
        else {
            throw ServerError(.internalError, "there is no page with the template \(View.template)", .server(.fault))
        }
        return RenderedPage(marked: text)
    }
}

/// Escapes text for HTML content and quoted attributes.
///
/// The escaping works on bytes, because the library's works on characters: for Swift, a quote followed by a combining
/// accent is a single other character, but not for a browser.
struct EscapedText: MustacheContentType {
    static let name = "PAGE"

    /// The escaped text between value marks, which locate the values in the page.
    func escapeText(_ text: String) -> String {
        let repeated = RepeatedText.unmarked(text)
        var escaped = [repeated == nil ? RenderedPage.begin : RenderedPage.beginRepeated]
        escaped.reserveCapacity(text.utf8.count + 2)
        for byte in repeated ?? text[...].utf8 {
            switch byte {
            case RenderedPage.begin, RenderedPage.end, RenderedPage.beginRepeated: escaped += Array("\u{FFFD}".utf8)
            case UInt8(ascii: "&"): escaped += Array("&amp;".utf8)
            case UInt8(ascii: "<"): escaped += Array("&lt;".utf8)
            case UInt8(ascii: ">"): escaped += Array("&gt;".utf8)
            case UInt8(ascii: "\""): escaped += Array("&quot;".utf8)
            case UInt8(ascii: "'"): escaped += Array("&#39;".utf8)
            default: escaped.append(byte)
            }
        }
        escaped.append(RenderedPage.end)
        return String(decoding: escaped, as: UTF8.self)
    }
}

import Mustache
import CloudModel
import Foundation

/// The templates of all pages, read once at startup: `Public/templates/NAME.mustache` is the template `NAME`.
package struct PageTemplates: Sendable {
    private let library: MustacheLibrary
    /// The page types that have a template.
    private let pages: Set<ObjectIdentifier>
    /// Values available to every template.
    private let common: [String: String]

    /// A missing or unreadable template; the description names the file.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter pages: the page types that the server shows; a missing template is an error.
    package init(_ source: PublicFiles, pages: [any WebPage.Type], common: [String: String]) throws {
        MustacheContentTypes.register(PageText(), named: PageText.name)
        var templates: [String: MustacheTemplate] = [:]
        for (name, bytes) in try source.files(in: "templates") where name.hasSuffix(".mustache") {
            // A content type applies to a single file, so each template declares it.
            let text = "{{% CONTENT_TYPE: \(PageText.name)}}" + String(decoding: bytes, as: UTF8.self)
            do { templates[String(name.dropLast(".mustache".count))] = try MustacheTemplate(string: text) } catch {
                throw Unreadable(description: "the page template \(name) is not well formed: \(error)")
            }
        }
        for page in pages where templates[page.template] == nil {
            throw Unreadable(description: "the page template \(page.template).mustache is missing")
        }
        self.pages = Set(pages.map { ObjectIdentifier($0) })
        library = MustacheLibrary(templates: templates)
        self.common = common
    }

    /// Renders a page. All values are escaped.
    package func render<View: WebPage>(_ page: View) throws -> RenderedPage {
        var content = PageContent(page)
        content.add(common)
        guard pages.contains(ObjectIdentifier(View.self)),
            let text = library.render(content, withTemplate: View.template)
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
struct PageText: MustacheContentType {
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

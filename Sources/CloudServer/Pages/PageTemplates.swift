import Mustache
import CloudModel
import Foundation

/// The templates of all pages, read once at startup: `Public/templates/NAME.mustache` is the template `NAME`.
package struct PageTemplates: Sendable {
    private let library: MustacheLibrary
    /// The pages that have a template, by their types.
    private let pages: Set<ObjectIdentifier>
    /// The values that every template may use besides its own content.
    private let common: [String: String]

    /// A missing or unreadable template; the description names the file.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Parameter pages: each must have its template.
    init(_ source: PublicFiles, pages: [any WebPage.Type], common: [String: String]) throws {
        MustacheContentTypes.register(PageText(), named: PageText.name)
        var templates: [String: MustacheTemplate] = [:]
        for (name, bytes) in try source.files(in: "templates") where name.hasSuffix(".mustache") {
            // A content type holds for its own file only, so each one gets it.
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

    /// The page. Every value in it is escaped, whatever it holds.
    func render<View: WebPage>(_ page: View) throws -> RenderedPage {
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

/// Text made safe to stand in a page, in text and in quoted attributes.
///
/// Byte by byte: the library's own escaping goes by characters, and a quote with an accent after it is another
/// character to Swift, though not to a browser.
struct PageText: MustacheContentType {
    static let name = "PAGE"

    /// The text between the marks of a value, so that the page knows where its values are.
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

@testable import CloudPages
@testable import CloudConsole
@testable import CloudServer
import CloudHTTP
import CloudModel
import Foundation
import Mustache
import Testing

@Suite("Views of pages") struct PageViewTests {
    private struct Inner: PageView {
        let text: String
    }

    private struct Sample: WebPage {
        static let template = "sample"

        let title: String
        let inner: Inner?
        let lines: [String]
    }

    private static let sound =
        "{{title}}{{#inner}}{{text}}{{title}}{{/inner}}{{inner.text}}{{#lines}}{{.}}{{/lines}}{{static}}"

    @Test("Templates and views use the same names, and every template has a page")
    func names() throws {
        var texts: [String: String] = [:]
        for (name, bytes) in try PublicFiles(folder: nil).files(in: "templates") {
            texts[try #require(name.split(separator: ".").first.map(String.init))] = String(
                decoding: bytes, as: UTF8.self)
        }
        let check = TemplateCheck(
            PageTable.all, templates: texts, common: ["static"], shared: ["languages": LanguageSwitch.self])
        #expect(check.problems == [])
        #expect(check.used.count > 400)
    }

    @Test(
        "A template that does not fit its view is reported",
        arguments: [
            (sound, []),
            (sound + "{{titel}}", ["sample: no view has 'titel'"]),
            (sound + "{{text}}", ["sample: no view has 'text'"]),
            (sound + "{{#inner}}{{lines}}{{tilte}}{{/inner}}", ["sample: no view has 'tilte'"]),
            (sound + "{{^inner}}{{text}}{{/inner}}", ["sample: no view has 'text'"]),
            (sound + "{{inner.txt}}", ["sample: no view has 'inner.txt'"]),
            (sound + "{{#inner}}{{.}}{{/inner}}", ["sample: '.' is no text"]),
            (sound + "{{> part}}", ["sample: there is no template 'part'"]),
            ("{{title}}{{inner.text}}", ["no template names 'Sample.lines'"]),
        ])
    func unfittingTemplate(text: String, problems: [String]) {
        #expect(TemplateCheck([Sample.self], templates: ["sample": text], common: ["static"]).problems == problems)
    }

    @Test("A template without a page is reported, unless another template includes it")
    func lonelyTemplate() {
        let templates = [
            "sample": "{{<around}}{{$body}}{{inner.text}}{{> part}}{{/body}}{{/around}}",
            "around": "{{$body}}{{/body}}",
            "part": "{{#lines}}{{.}}{{/lines}}{{title}}", "lonely": "{{wrong}}",
        ]
        #expect(
            TemplateCheck([Sample.self], templates: templates, common: []).problems == [
                "no page has the template 'lonely'"
            ])
    }

    @Test("A block's contents may use the names of the section around the block")
    func nestedBlock() {
        let templates = [
            "sample": "{{<around}}{{$body}}{{text}}{{title}}{{/body}}{{/around}}",
            "around": "{{#lines}}{{.}}{{/lines}}{{#inner}}{{$body}}{{/body}}{{/inner}}",
        ]
        #expect(TemplateCheck([Sample.self], templates: templates, common: []).problems == [])
    }

    private struct Whole: WebPage {
        static let template = "sample"

        let title: String
        let part: Part

        struct Part: PageView {
            let title: String?
        }
    }

    @Test("A nil name is reported where an outer view has the same name")
    func shadowingName() {
        let templates = ["sample": "{{title}}{{#part}}{{title}}{{/part}}"]
        #expect(
            TemplateCheck([Whole.self], templates: templates, common: []).problems == [
                "sample: where 'Part.title' is nil, 'Whole.title' is shown"
            ])
    }

    @Test("A folder that lacks a page's template is refused at the start with the file's name")
    func missingTemplate() throws {
        let folder = try PublicFiles(folder: nil)
        let error = #expect(throws: PageTemplates.Unreadable.self) {
            try PageTemplates(folder, pages: PageTable.all + [Sample.self], common: [:])
        }
        #expect(error?.description == "the page template sample.mustache is missing")
    }

    @Test("Views that supply names themselves supply each of their properties")
    func ownNames() {
        let photo = PhotoView(
            mark: "1", name: "2", caption: "3", tile: "4", tileWidth: "5", tileHeight: "6", medium: "7",
            mediumWidth: "8", large: "9", largeWidth: "10", largeHeight: "11", width: "12", height: "13", color: "18",
            isFirst: true, isEager: true, live: "16", day: "17", place: "15", download: "14", canChoose: true,
            isChosen: true, isKept: true)
        let action = Sheet.Action(label: "1", fields: [("2", "3")])
        var cell = Sheet.Cell(
            "4", link: "5", isName: true, isNumber: true, isWhole: true, badge: "6", action: action)
        let now = Timestamp.now()
        cell.moment = now
        let column = Sheet.Column(title: "7")
        let views: [any PageView & MustacheParent] = [
            photo, LabelledText(label: "1", text: "2"), FilledField(name: "1", value: "2"),
            ShownTime(now, now: now), Choice(value: "1", label: "2", isChosen: true), action,
            FormFieldView(FormField("1", "2", .area(rows: 3), value: "4", hint: "5", isRequired: true), in: "6"),
            FormFieldView(FormField("1", "2", .choice(["3", "4"]), value: "4")),
            FormFieldView(FormField("1", "2", .checks(["3", "4"]))),
            FormFieldView.Box(value: "1", text: "2", isChecked: true, isOneOfMany: false),
            SheetView.Cell(cell, of: column, isFirst: true, way: "5", now: now),
            SheetView.Row(cells: [SheetView.Cell(cell, of: column, isFirst: false, now: now)], pick: "8", name: "9"),
        ]
        for view in views {
            for case (let name?, let value) in Mirror(reflecting: view).children {
                #expect(view.child(named: name).map { "\($0)" } == (value as? any PageValue)?.shown.map { "\($0)" })
            }
            #expect(view.child(named: "nothing") == nil)
        }
    }
}

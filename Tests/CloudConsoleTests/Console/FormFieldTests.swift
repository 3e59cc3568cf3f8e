import CloudAccounts
import CloudHTTP
import CloudModel
import CloudOperations
import CloudPages
import Testing

@testable import CloudConsole

/// Fields of the console's forms.
struct FormFieldTests {
    @Test("A field for a property has the property's name, control, necessity and limit")
    func properties() {
        let name = FormFieldView(FormField(\NewAPIToken.name), in: "token")
        #expect(name.id == "token.name" && name.name == "name" && name.label == "Name")
        #expect(name.isLine && name.isRequired && name.maxlength == nil && name.inputmode == nil)
        #expect(FormFieldView(FormField(\BackupChoice.name)).maxlength == "200")

        let given = FormFieldView(FormField(\NewUser.givenName))
        #expect(given.name == "givenName" && given.label == "Given name" && !given.isRequired)

        let environment = FormFieldView(FormField(\NewAPIToken.place.environment, value: "production"))
        #expect(environment.isMenu && !environment.isRequired)
        #expect(environment.options.map(\.value) == ContainerEnvironment.allCases.map(\.rawValue))
        #expect(environment.options.filter(\.isChosen).map(\.value) == ["production"])

        let days = FormFieldView(FormField(\NewManagementToken.days))
        #expect(days.isLine && days.inputmode == "numeric" && !days.isRequired)

        let scopes = FormFieldView(FormField(\NewManagementToken.scopes))
        #expect(scopes.boxes.map(\.value) == ManagementScope.allCases.map(\.rawValue) && !scopes.isLabelled)

        let rule = FormFieldView(FormField(\NewPageRule.rule))
        #expect(rule.isArea && rule.isCode && rule.classes == "mono" && rule.isRequired)
    }

    @Test("A menu with labels has each choice of its property, those without a label under their values")
    func labels() {
        let labels: KeyValuePairs = ["records/query": "query", "records/drop": "drop"]
        let menu = FormFieldView(FormField(\RehearsalChoice.operation, "do", labels: labels, value: "records/lookup"))
        #expect(menu.options.map(\.value) == ["records/query", "records/modify", "records/lookup"])
        #expect(menu.options.map(\.label) == ["query", "records/modify", "records/lookup"])
        #expect(menu.options.map(\.isChosen) == [false, false, true])
    }

    @Test("A box is checked by any value, and sends its own")
    func boxes() {
        let box = { (value: String) in FormFieldView(FormField("agreed", "I agree.", .check("yes"), value: value)).boxes
        }
        #expect(box("").map(\.isChecked) == [false] && box("1").map(\.isChecked) == [true])
        #expect(box("").map(\.value) == ["yes"] && box("").map(\.text) == ["I agree."])
    }

    @Test("The fields of a fault are the members of its JSON, with their types")
    func faults() throws {
        let fields = EmulatorForm.fault(routes: ["records/query"])
        let form = FormFields("route=records%2Fquery&latency=20&probability=0.5&user=&error=".utf8)
        let json = try EmulatorForm.object(form, fields)
        #expect(json.members.map(\.key) == ["route", "latency", "probability"])
        #expect(json["route"] == .string("records/query") && json["probability"] == .number(0.5))
        let set = try EmulatorForm.object(FormFields("set=2026-01-31T08:00:00Z".utf8), [EmulatorForm.set])
        #expect(set["set"] == .integer(1_769_846_400_000))
    }

    @Test(
        "The controls of forms are shown by one template, but for those of tables, a query, a schema's text and a file")
    func oneTemplate() throws {
        let own: Set = [
            "console-control", "console-query", "console-schema-text", "console-file",
            // Tables, searches, menus of places, and the pages before a sign-in.
            "console-sheet", "console-sheets", "console-requests", "console-layout", "console-code", "console-signin",
        ]
        var shown: Set<String> = []
        for (file, bytes) in try PublicFiles(folder: nil).files(in: "templates") where file.hasPrefix("console-") {
            let text = String(decoding: bytes, as: UTF8.self)
            let control = /<(textarea|select)|<input (id|name|class|type="(search|text|email|password|file)")/
            if text.contains(control) { shown.insert(String(file.prefix { $0 != "." })) }
        }
        #expect(shown.subtracting(own).isEmpty && shown.contains("console-control"), "\(shown.subtracting(own))")
    }
}

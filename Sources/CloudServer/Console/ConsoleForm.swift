import CloudModel

/// A form of the console: fields under each other, and a button.
struct ConsoleForm {
    let title: String
    let path: String
    let button: String
    /// The value of the field `do`, which tells the forms of a page apart.
    let action: String
    /// Fields that the page fills in itself.
    var hidden: [(name: String, value: String)] = []
    var fields: [Field] = []
    /// What somebody should know before.
    var note = ""

    struct Field {
        enum Kind {
            case text
            /// Several lines.
            case area
            /// One of some values.
            case choice([String])
            /// Any of some values.
            case checks([String])
        }

        let name: String
        let label: String
        var kind = Kind.text
        var value = ""
        var hint = ""
        var isRequired = false

        init(
            _ name: String, _ label: String, _ kind: Kind = .text, value: String = "", hint: String = "",
            isRequired: Bool = false
        ) {
            self.name = name
            self.label = label
            self.kind = kind
            self.value = value
            self.hint = hint
            self.isRequired = isRequired
        }

        fileprivate func content(in form: String) -> PageContent {
            var input: [String: Any] = ["name": name, "value": value]
            if isRequired { input["isRequired"] = true }
            var content: [String: Any] = ["label": label, "hint": hint, "id": "\(form).\(name)"]
            switch kind {
            case .text: content["text"] = PageContent(input)
            case .area: content["area"] = PageContent(input)
            case .choice(let values):
                input["options"] = values.map { option($0, isChosen: $0 == value) }
                content["choice"] = PageContent(input)
            case .checks(let values):
                content["checks"] = values.map { option($0, isChosen: false) }
            }
            return PageContent(content)
        }

        private func option(_ value: String, isChosen: Bool) -> PageContent {
            var content: [String: Any] = ["name": name, "value": value]
            if isChosen { content["isChosen"] = true }
            return PageContent(content)
        }
    }

    var content: PageContent {
        PageContent([
            "title": title, "path": path, "button": button,
            "hidden": (hidden + [("do", action)]).map(PageContent.field),
            "inputs": fields.map { $0.content(in: action) }, "note": note, "hasInputs": !fields.isEmpty,
        ])
    }
}

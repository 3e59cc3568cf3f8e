import CloudPages

/// A console form as template values.
struct ConsoleFormView: PageView {
    /// The form's id on its page.
    let id: String
    let title: String
    let path: String
    let button: String
    let hidden: [FilledField]
    let hasInputs: Bool
    let inputs: [Input]
    let note: String

    /// A form field with the control for its kind.
    struct Input: PageView {
        let label: String
        let hint: String
        let id: String
        var text: Text?
        var area: Text?
        var choice: Menu?
        var checks: [FilledField] = []
    }

    struct Text: PageView {
        let name: String
        let value: String
        let isRequired: Bool
    }

    struct Menu: PageView {
        let name: String
        let options: [Choice]
    }

    init(_ form: ConsoleForm) {
        id = form.action
        title = form.title
        path = form.path
        button = form.button
        hidden = (form.hidden + [("do", form.action)]).map(FilledField.init)
        hasInputs = !form.fields.isEmpty
        inputs = form.fields.map { Input($0, in: form.action) }
        note = form.note
    }
}

extension ConsoleFormView.Input {
    /// - Parameter form: the form's id on its page.
    fileprivate init(_ field: ConsoleForm.Field, in form: String) {
        self.init(label: field.label, hint: field.hint, id: "\(form).\(field.name)")
        let (name, value) = (field.name, field.value)
        switch field.kind {
        case .text: text = .init(name: name, value: value, isRequired: field.isRequired)
        case .area: area = .init(name: name, value: value, isRequired: field.isRequired)
        case .choice(let values):
            choice = .init(
                name: name, options: values.map { Choice(value: $0, label: $0, isChosen: $0 == value) })
        case .checks(let values): checks = values.map { FilledField(name: name, value: $0) }
        }
    }
}

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
    let inputs: [FormFieldView]
    /// The controls across the form.
    let wide: [FormFieldView]
    let note: String

    init(_ form: ConsoleForm) {
        let id = form.id ?? form.action
        self.id = id
        title = form.title
        path = form.path
        button = form.button
        hidden = form.hidden + (form.action.isEmpty ? [] : [FilledField(name: "do", value: form.action)])
        hasInputs = !form.fields.isEmpty
        inputs = form.fields.map { FormFieldView($0, in: id) }
        wide = form.wide.map { FormFieldView($0, in: id) }
        note = form.note
    }
}

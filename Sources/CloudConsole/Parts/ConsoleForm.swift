import CloudModel
import CloudPages

/// A console form: fields and a button.
struct ConsoleForm {
    let title: String
    let path: String
    let button: String
    /// The value of the field `do`, which distinguishes the forms of a page; empty for none.
    var action = ""
    /// The form's id on its page, and the start of the ids of its controls; nil for that of the action.
    var id: String?
    /// The hidden fields.
    var hidden: [FilledField] = []
    var fields: [FormField] = []
    /// The fields across the form, below the others.
    var wide: [FormField] = []
    /// A remark beside the heading.
    var note = ""
}

extension ConsoleForm {
    /// A link from the page's head to the form.
    var link: PageLink { PageLink(label: title, address: "#\(action)") }
}

extension ServerError {
    /// The error for a form whose button belongs to no action of the page.
    static let unknownAction = ServerError.badRequest("the form's field 'do' names no action of this page")
}

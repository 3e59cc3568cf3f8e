import CloudPages
import CloudModel

/// A console form: stacked fields and a button.
struct ConsoleForm {
    let title: String
    let path: String
    let button: String
    /// The value of the field `do`, which distinguishes the forms of a page.
    let action: String
    /// The hidden fields.
    var hidden: [(name: String, value: String)] = []
    var fields: [Field] = []
    /// A remark beside the heading.
    var note = ""

    struct Field {
        enum Kind {
            case text
            /// A multi-line text.
            case area
            /// A choice of one value.
            case choice([String])
            /// A choice of any number of values.
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
    }
}

extension ConsoleForm {
    /// A link from the page's head to the form.
    var link: PageLink { PageLink(label: title, address: "#\(action)") }
}

extension ServerError {
    /// The error for a form whose button belongs to no action of the page.
    static let unknownAction = ServerError.badRequest("the form's field 'do' names no action of this page")
}

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
    }
}

extension ConsoleForm {
    /// The way down to the form, from the head of its page.
    var link: PageLink { PageLink(label: title, address: "#\(action)") }
}

extension ServerError {
    /// The error for a form whose button belongs to no action of the page.
    static let unknownAction = ServerError.badRequest("the form's field 'do' names no action of this page")
}

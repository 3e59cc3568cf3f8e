import CloudOperations

extension ConsoleForm.Field {
    /// A field for a property of an operation's input. Its name, its choices and whether it is required come from the
    /// property's parameter.
    ///
    /// - Parameter kind: nil for a menu of the parameter's choices, or a text field without choices.
    init<Input: OperationInput, Value>(
        _ property: KeyPath<Input, Value>, _ label: String, _ kind: Kind? = nil, value: String = "", hint: String = ""
    ) {
        let parameter = Input.fields.parameter(property)
        let choices = parameter?.choices ?? []
        let isMenu = kind == nil && !choices.isEmpty
        self.init(
            parameter?.name ?? "", label, kind ?? (isMenu ? .choice(choices) : .text), value: value, hint: hint,
            isRequired: !isMenu && parameter?.isRequired == true)
    }
}

import ArgumentParser
import CloudOperations

extension ArgumentHelp {
    /// The sentence on a property of an operation's input, as help of the option or argument that sets it.
    static func of<Input: OperationInput, Value>(
        _ property: KeyPath<Input, Value>, valueName: String? = nil
    ) -> ArgumentHelp {
        ArgumentHelp(Input.fields.parameter(property)?.about ?? "", valueName: valueName)
    }
}

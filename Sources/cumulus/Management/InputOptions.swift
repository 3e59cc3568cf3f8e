import ArgumentParser
import CloudModel
import CloudOperations

/// A command with arguments and options for the properties of an operation's input.
protocol InputCommand: AsyncParsableCommand {
    associatedtype Input: OperationInput
    /// In the order of the help.
    static var arguments: [InputArgument<Input>] { get }
    var input: InputOptions<Self> { get }
}

/// The parsed arguments and options for the properties of an operation's input.
///
/// The parser finds definitions by a mirror of an empty value. This type's mirror has those of the command's list.
struct InputOptions<Command: InputCommand>: ParsableArguments, CustomReflectable {
    private(set) var draft = InputDraft<Command.Input>()

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: ArgumentName.self)
        for argument in Command.arguments { try argument.take(values, &draft) }
    }

    var customMirror: Mirror {
        Mirror(self, children: Command.arguments.map { (label: $0.name.stringValue, value: $0.definition()) })
    }

    /// - Throws: as of ``InputDraft``.
    subscript<Value>(property: KeyPath<Command.Input, Value>) -> Value {
        get throws { try draft.value(of: property) }
    }

    /// Refuses numbers outside their limits before the command begins.
    func checkLimits() throws {
        for argument in Command.arguments {
            guard let parameter = argument.parameter, case .number(let range) = parameter.kind,
                let number = draft.arguments[parameter.name]?.integer, !range.contains(number)
            else { continue }
            throw ValidationError(
                "--\(argument.name.option) must be from \(range.lowerBound) to \(range.upperBound).")
        }
    }
}

/// A command that runs one operation, with the arguments and options of its input.
protocol OperationCommand: ManagementCommand, InputCommand {
    associatedtype Answer: OperationAnswer
    static var operation: AdminOperation<Input, Answer> { get }
    func report(_ answer: Answer) throws -> Report
}

extension OperationCommand {
    func perform(_ operations: any Operations) async throws -> Report {
        try report(await operations.run(Self.operation, input.draft))
    }
}

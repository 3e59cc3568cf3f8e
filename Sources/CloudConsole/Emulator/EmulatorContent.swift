import CloudPages

/// The emulator's page as template values.
struct EmulatorContent: ConsoleContent {
    static let template = "console-emulator"

    let problem: String?
    /// The container.
    let name: String
    let hidden: [FilledField]
    /// The server clock's time.
    let now: String
    let isFrozen: Bool
    let steps: [Step]
    let clock: FormFieldView
    let faultSheet: SheetView
    let hasFaults: Bool
    /// The fields of a new fault.
    let faults: [FormFieldView]
    let lintSheet: SheetView
    let isWatching: Bool
    let hasNoSnapshots: Bool
    let snapshots: [Snapshot]
    /// The name of a new snapshot.
    let snapshot: FormFieldView
    let seed: FormFieldView
    let keepSchema: FormFieldView

    /// A button that advances the clock by some seconds.
    struct Step: PageView {
        let value: String
        let label: String
    }

    struct Snapshot: PageView {
        let name: String
        let syncTokens: FormFieldView
    }
}

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
    let faultSheet: SheetView
    let hasFaults: Bool
    let routes: [String]
    let codes: [String]
    let pushes: [String]
    let lintSheet: SheetView
    let isWatching: Bool
    let hasNoSnapshots: Bool
    let snapshots: [Snapshot]

    /// A button that advances the clock by some seconds.
    struct Step: PageView {
        let value: String
        let label: String
    }

    struct Snapshot: PageView {
        let name: String
    }
}

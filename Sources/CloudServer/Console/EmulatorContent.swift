/// The emulator's page as its template names it.
struct EmulatorContent: ConsoleContent {
    static let template = "console-emulator"

    let problem: String?
    /// The container.
    let name: String
    let hidden: [FilledField]
    /// The time by the server's clock.
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

    /// Seconds that a button sets the clock on by.
    struct Step: PageView {
        let value: String
        let label: String
    }

    struct Snapshot: PageView {
        let name: String
    }
}

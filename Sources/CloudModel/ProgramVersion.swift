/// The version of Cumulus, as `--version` and `/health` give it.
package enum ProgramVersion {
    package static let text = "0.3.0"
}

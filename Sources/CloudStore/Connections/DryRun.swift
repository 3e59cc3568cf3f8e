/// Requests that are run to see their outcome. Their writes are undone before any reader can see them.
package enum DryRun {
    /// True while a dry-run request is answered.
    @TaskLocal package static var isOn = false
}

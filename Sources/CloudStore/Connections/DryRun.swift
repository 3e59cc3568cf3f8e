/// Requests that are run to see what would come of them. All they write is undone before anybody reads it.
package enum DryRun {
    /// Set around all that answers such a request.
    @TaskLocal package static var isOn = false
}

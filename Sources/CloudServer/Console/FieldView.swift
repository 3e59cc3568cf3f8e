/// A field on a record's page, with the control that its kind has.
struct FieldView: PageView {
    let name: String
    let kind: String
    /// Its index marks.
    let marks: String
    /// Whether it has a control of its own, which its name labels.
    var hasControl = false
    /// What the form was made with.
    var original: String?
    /// What goes along with the value and is not edited.
    var details: String?
    var isChanged = false
    var text: Control?
    var code: Control?
    var number: Control?
    var line: Control?
    var reference: ReferenceEditor.View?
    var map: EarthMap?
    var files: [RecordFiles.File] = []
    /// The receipt of an uploaded file that a save puts here.
    var receipt: String?
    /// Whether another file can be uploaded for it.
    var isReplaceable = false
    /// The value of a field that is only shown.
    var fixed: String?
    var isMissing = false
    var canBeRemoved = false
    var isRemoved = false
    var remark: String?
    var hint: String?
    var fault: String?

    struct Control: PageView {
        let value: String
        let rows: String
    }
}

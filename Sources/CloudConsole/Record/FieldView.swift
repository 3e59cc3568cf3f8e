import CloudPages

/// A field on a record's page, with the control for its kind.
struct FieldView: PageView {
    let name: String
    let kind: String
    /// The field's index marks.
    let marks: String
    /// Whether the field's name labels a control.
    var hasControl = false
    /// The field's texts when the form was made.
    var original: String?
    /// Read-only parts of the value, such as a location's altitude.
    var details: String?
    var isChanged = false
    var control: FormFieldView?
    var reference: ReferenceEditor.View?
    var map: EarthMap?
    var files: [RecordFiles.File] = []
    /// The receipt of an uploaded file, which a save stores in the field.
    var receipt: String?
    /// Whether the field accepts a replacement file.
    var isReplaceable = false
    /// The value of a read-only field.
    var fixed: String?
    var isMissing = false
    var canBeRemoved = false
    var isRemoved = false
    var remark: String?
    var hint: String?
    var fault: String?
}

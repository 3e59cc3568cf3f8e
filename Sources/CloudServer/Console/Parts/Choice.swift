import Mustache

/// An option of a form's menu.
struct Choice: PageView, MustacheParent {
    let value: String
    let label: String
    let isChosen: Bool

    var shown: Any? { self }

    func child(named name: String) -> Any? {
        switch name {
        case "value": value
        case "label": label
        case "isChosen": isChosen
        default: nil
        }
    }
}

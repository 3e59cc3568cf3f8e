import CloudPages
import Mustache

/// An option of a form's menu.
struct Choice: PageView, MustacheParent {
    let value: String
    let label: String
    let isChosen: Bool

    init(value: String, label: String, isChosen: Bool) {
        self.value = value
        self.label = label
        self.isChosen = isChosen
    }

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

import CloudPages
import CloudModel

/// The menus above a page that switch container and environment.
struct PlaceMenus: PageView {
    let container: String
    /// The last component of the container's name.
    let name: String
    let environment: String
    let label: String
    let otherEnvironment: String
    let otherLabel: String
    let other: String
    let containers: [Entry]
    /// The form of a new container.
    let new = NewContainerView.path
    /// The page with all containers; nil if the menu lists them all.
    let all: String?

    struct Entry: PageView {
        let name: String
        let address: String
    }

    init(_ place: ConsolePlace, view: ConsoleView) {
        let path = view.isInsideEnvironment ? view.path : "/console/data"
        let other = place.within(place.environment == .development ? .production : .development)
        container = place.container
        name = place.container.split(separator: ".").last.map(String.init) ?? place.container
        environment = place.environment.rawValue
        label = place.environment.label
        otherEnvironment = other.environment.rawValue
        otherLabel = other.environment.label
        self.other = other.address(path)
        containers = place.containers.map { name in
            let there = ConsolePlace(container: name, environment: place.environment, containers: [])
            return Entry(name: name, address: there.address(path))
        }
        all = place.hasMoreContainers ? StorageSheet.address() : nil
    }
}

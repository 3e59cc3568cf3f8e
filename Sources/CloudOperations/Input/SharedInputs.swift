package import CloudModel

/// The container and environment of an operation.
package struct EnvironmentAddress: OperationInput, Hashable {
    package let container: String
    package let environment: ContainerEnvironment

    package init(container: String, environment: ContainerEnvironment) {
        self.container = container
        self.environment = environment
    }

    package static let fields = InputFields(
        { Self(container: $0, environment: $1) }, .text("container", \.container, "The container."),
        .environment(\.environment, "The environment: development or production."))
}

/// A page of a list.
package struct PageChoice: OperationInput {
    package let after: String?
    package let limit: Int64

    /// Items per page: the default and the maximum.
    package static let (usualLimit, largestLimit) = (100, 1000)

    package static let fields = InputFields(
        Self.init, .text("after", \.after, "The `next` of the page before."), .limit(\.limit))
}

/// A page of a list whose items are numbered.
package struct NumberedPage: OperationInput {
    package let after: Int64?
    package let limit: Int64

    package static let fields = InputFields(
        Self.init, .number("after", \.after, in: 0...Int.max, "The `next` of the page before."), .limit(\.limit))
}

extension InputField where Value == Int64 {
    /// The number of items in a page.
    static func limit(_ property: InputProperty<Input, Value>) -> Self {
        .number(
            "limit", property, in: 1...PageChoice.largestLimit, or: PageChoice.usualLimit,
            "Items of the page; 100 without.")
    }
}

/// A page of a list in an environment.
package struct EnvironmentPage: OperationInput {
    package let place: EnvironmentAddress
    package let page: PageChoice

    package static let fields = InputFields(Self.init, .group(\.place), .group(\.page))
}

/// A page of a list in an environment whose items are numbered.
package struct NumberedEnvironmentPage: OperationInput {
    package let place: EnvironmentAddress
    package let page: NumberedPage

    package static let fields = InputFields(Self.init, .group(\.place), .group(\.page))
}

/// A page of a list about containers.
package struct ContainerPage: OperationInput {
    package let container: String?
    package let page: PageChoice

    package static let fields = InputFields(
        Self.init, .text("container", \.container, "Only those of this container."), .group(\.page))
}

/// A container.
package struct ContainerChoice: OperationInput {
    package let container: String

    package static let fields = InputFields(Self.init, .text("container", \.container, "The container's name."))
}

/// A user.
package struct UserChoice: OperationInput {
    package let email: String

    package static let fields = InputFields(
        Self.init, .text("email", \.email, "The email address or the account's id."))
}

/// An item of a list, by its row ID.
package struct RowChoice: OperationInput {
    package let id: Int64

    package static let fields = InputFields(Self.init, .id(\.id, "Its id, as the list shows it."))
}

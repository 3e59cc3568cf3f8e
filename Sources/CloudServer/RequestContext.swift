package import Hummingbird

/// What Hummingbird carries along a request; the rest travels in `DatabaseCall`.
package struct CloudRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
    }
}

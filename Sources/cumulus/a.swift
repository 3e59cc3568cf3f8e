import Configuration
import ArgumentParser
import ServiceLifecycle
@main struct A { static func main() {} }
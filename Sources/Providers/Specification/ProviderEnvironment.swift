internal import Glibc
public import System

/// What providers take from outside: variables, time and chance. Tests give their own.
public struct ProviderEnvironment: Sendable {
    /// Returns the value of an environment variable; `nil` if it is not set.
    public var variable: @Sendable (String) -> String?
    public var clock: Clock
    /// A number in [0, 1).
    public var random: @Sendable () -> Double

    public init(
        variable: @escaping @Sendable (String) -> String?, clock: Clock = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.variable = variable
        self.clock = clock
        self.random = random
    }

    /// The environment of this process.
    public static let process = ProviderEnvironment { name in getenv(name).map { String(cString: $0) } }

    /// The value of a variable that is set and not empty.
    func value(_ name: String) -> String? {
        guard let text = variable(name), !text.isEmpty else { return nil }
        return text
    }
}
